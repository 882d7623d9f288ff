import Testing

@testable import Display

@Suite("How words end in Korean") struct SoundTests {
  @Test("every letter and digit ends as it is read, and where the spelling leaves it open nothing is guessed")
  func letters() {
    func ends(_ words: String, _ sound: FinalSound, sourceLocation: SourceLocation = #_sourceLocation) {
      for word in words.split(separator: " ") {
        #expect(FinalSound(of: String(word)) == sound, "\(word)", sourceLocation: sourceLocation)
        #expect(FinalSound(of: "x\(word)”).") == sound, "\(word)", sourceLocation: sourceLocation)
      }
    }
    ends("a d f h i j o q r s u v w x y z A D F H I J O Q S U V W X Y Z", .vowel)
    ends("l L 1 7 8 31 알 \u{11AF}", .rieul)
    ends("m n M N ng 3 6 0 10 100 ん ン 각 앙 \u{11A8} \u{11C2}", .consonant)
    ends("b c e g k p t B C E G K P R T mg 漢 я", .unknown)
    ends("2 4 5 9 12 % 50% 가 히 あ ヾ \u{1161} \u{1175}", .vowel)
    for word in ["", "…", "“”"] { #expect(FinalSound(of: word) == .unknown) }
  }

  @Test("a number of only zeros behind a digit ends as its last unit is read")
  func zeros() {
    for count in 1...20 {
      let number = "1" + String(repeating: "0", count: count)
      #expect(FinalSound(of: number) == ((12...15).contains(count) ? .vowel : .consonant), "\(count)")
    }
    for count in [1, 12, 15] { #expect(FinalSound(of: String(repeating: "0", count: count)) == .consonant) }
    #expect(FinalSound(of: "1,001") == .rieul && FinalSound(of: "1,000") == .consonant)
    #expect(FinalSound(of: "1,0") == .consonant)
  }
}
