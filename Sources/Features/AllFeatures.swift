import Boards
import Books
import Diary
import Documents
import Files
import Kit
import Notes
import Projects
import Search
import Sync
import System
import Texts

/// Every feature, a line each.
package enum AllFeatures {
  package static let features: [Feature] = [
    SessionFeature.feature,
    ChangesFeature.feature,
    LibraryFeature.feature,
    DocumentsFeature.feature,
    BoardsFeature.feature,
    DiaryFeature.feature,
    NotesFeature.feature,
    FilesFeature.feature,
    ProjectsFeature.feature,
    BooksFeature.feature,
    SearchFeature.feature,
    TagsFeature.feature,
    LinksFeature.feature,
    TextsFeature.feature,
    SyncFeature.feature,
  ]
}
