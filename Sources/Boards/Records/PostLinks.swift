import Store

/// How posts take part in links: users do not write links into them, and none is found by its title, but a stable
/// link leads to one, and is shown with its title.
enum PostLinks {
  static let linking = Linking(
    texts: [],
    shown: { id, snapshot in
      try snapshot.find(PostSummary.self, id: id).map { post in
        LinkedItem(
          title: post.head.title, link: StableLink(collection: PostRecord.collectionName, item: id).text)
      }
    })
}
