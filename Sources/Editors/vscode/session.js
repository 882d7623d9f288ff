'use strict'
// One session with the daemon serves all texts. When the daemon has ended, the next one is joined.

const vscode = require('vscode')
const { Connection } = require('./connection')

let connection, ready
// The clocks of this editor's commits; how many of its changes wait for their reply, and the commits that came meanwhile.
const own = new Set()
let making = 0
let arrived = []
const session = { listeners: {}, joined() {}, libraryChanged() {} }

session.connect = () => {
  if (connection?.isOpen) return ready
  const program = vscode.workspace.getConfiguration('commonplace').get('program', 'commonplace')
  let isJoined = false
  const mine = connection = new Connection(program, {
    'window/showMessage': ({ type, message }) =>
      (type === 1 ? vscode.window.showErrorMessage : vscode.window.showInformationMessage)(message),
    'window/showMessageRequest': async ({ message, actions = [] }) => {
      const title = await vscode.window.showInformationMessage(message, ...actions.map((action) => action.title))
      return actions.find((action) => action.title === title)
    },
    'changes/didCommit': (commit) => { arrived.push(commit); report() },
    ...session.listeners,
  }, () => {
    // One that cannot be started is not tried again before it is needed.
    if (isJoined && !session.isClosed) session.connect().then(() => session.libraryChanged(), () => {})
  })
  ready = mine.request('initialize', {
    clientInfo: { name: 'Visual Studio Code', version: vscode.version }, locale: vscode.env.language,
    // A save brings both together: this editor applies edits later than it says, so the version of its text is not known.
    initializationOptions: { commonplace: { documents: 'virtual', liveEdits: false } },
    capabilities: {
      general: { positionEncodings: ['utf-16'] },
      textDocument: {
        synchronization: { didSave: true }, hover: { contentFormat: ['markdown'] },
        completion: { completionItem: { documentationFormat: ['markdown'] } },
        publishDiagnostics: { versionSupport: true, relatedInformation: true }, rename: { prepareSupport: true },
        documentSymbol: { hierarchicalDocumentSymbolSupport: true },
        codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } }, resolveSupport: { properties: ['edit'] } },
        codeLens: {}, inlayHint: {}, semanticTokens: {},
      },
      workspace: { applyEdit: true, workspaceEdit: { documentChanges: true } },
    },
  }).then(() => {
    isJoined = true
    mine.notify('initialized', {})
    session.joined()
    return mine
  })
  return ready
}

session.call = async (method, params) => (await session.connect()).request(method, params)
session.notify = (method, params) => connection?.notify(method, params)
Object.defineProperty(session, 'isOpen', { get: () => connection?.isOpen ?? false })

/** A request that changes the library: it is not reported as somebody else's. */
session.change = async (method, params) => {
  making++
  try {
    const reply = await session.call(method, params)
    if (reply?.clock) own.add(reply.clock)
    return reply
  } finally {
    making--
    report()
  }
}

/** Shows the titles of what others have changed, once it is known whose the commits are. */
async function report() {
  if (making > 0 || arrived.length === 0) return
  const commits = arrived
  arrived = []
  session.libraryChanged()
  const isIn = (clock) => commits.some((each) => clock > each.since && clock <= each.clock)
  const { items } = await session.call('changes/log', { limit: 50 }).catch(() => ({ items: [] }))
  // What cannot be undone was fetched, or is a reading position.
  for (const { clock, undoable, display, client } of items.reverse()) {
    if (!isIn(clock) || !undoable || own.has(clock) || !display.title) continue
    vscode.window.setStatusBarMessage(`Commonplace: ${display.title} (${client})`, 10000)
  }
  for (const clock of [...own].filter(isIn)) own.delete(clock)
}

session.close = () => { session.isClosed = true; connection?.close() }

module.exports = session
