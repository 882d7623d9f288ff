'use strict'
// Pages of documents: the one that is read becomes the reading position, and can be seen as a picture.

const vscode = require('vscode')
const session = require('./session')

/** The document and the page, from 0, of an editor; undefined for another text. */
function place(editor) {
  const uri = editor?.document.uri
  const [, id, page] = /^commonplace:\/*text\/documents\/([^/]+)\/page\/(\d+)\.md$/.exec(uri?.toString() ?? '') ?? []
  return id && { id: decodeURIComponent(id), page: Number(page) }
}

function entered(editor) {
  const found = place(editor)
  if (found) session.call('documents/setPosition', found).catch(() => {})
}

function wanted() {
  const found = place(vscode.window.activeTextEditor)
  if (!found) throw new Error('This is no page of a document.')
  return found
}

async function turn(step) {
  const { id, page } = wanted()
  const path = `documents/${encodeURIComponent(id)}/page/${Math.max(0, page + step)}.md`
  const { uri } = await session.call('text/open', { uri: `commonplace:///text/${path}` }).catch((error) => {
    throw error.data?.kind === 'notFound' ? new Error('This is the last page.') : error
  })
  await vscode.window.showTextDocument(vscode.Uri.parse(uri, true))
}

async function picture() {
  const { path } = await session.call('documents/render', { ...wanted(), width: 1200 })
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path))
}

module.exports = { entered, turn, picture }
