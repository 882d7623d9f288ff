import Contract
import Store

/// The user's status of a book.
enum BookStatus: String, Choice, StoredWord {
  case want, reading, read, abandoned
}
