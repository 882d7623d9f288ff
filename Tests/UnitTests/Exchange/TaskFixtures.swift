/// Files as other programs write them.
enum TaskFixtures {
  /// Lines as iCalendar ends them.
  static func ics(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { $0 + "\r\n" }.joined()
  }

  /// As Thunderbird writes a calendar: a zone, an alarm, a line with another program's properties, an event beside the
  /// tasks, folds within words.
  static let thunderbird = ics(
    """
    BEGIN:VCALENDAR
    PRODID:-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN
    VERSION:2.0
    X-WR-CALNAME:Home; and garden
    BEGIN:VTIMEZONE
    TZID:Asia/Seoul
    BEGIN:STANDARD
    TZOFFSETFROM:+0900
    TZOFFSETTO:+0900
    TZNAME:KST
    DTSTART:19700101T000000
    END:STANDARD
    END:VTIMEZONE
    BEGIN:VTODO
    CREATED:20261101T101112Z
    LAST-MODIFIED:20261102T101112Z
    DTSTAMP:20261102T101112Z
    UID:040ab6c0-1111-4f7e-9f3b-1b4c9d5f0001
    SUMMARY;LANGUAGE=ko:씨앗 사기\\, 물 주기\\; 그리고 아주 긴 제목이 한 줄에 다 들어가지 않을 \n 때
    PRIORITY:1
    STATUS:IN-PROCESS
    PERCENT-COMPLETE:40
    CATEGORIES:garden,two\\, words
    CATEGORIES:spring
    DTSTART;TZID=Asia/Seoul:20261120T090000
    DUE;TZID=Asia/Seoul:20261121T233000
    DESCRIPTION:First line\\nSecond\\, with \\\\ backslash\\n\\nLast
    X-MOZ-GENERATION:3
    X-STRANGE;FOO="a;b:c";BAR=1,2:what : ever; it \\n is
    ATTACH;FMTTYPE=text/plain:https://example.org/a.txt
    BEGIN:VALARM
    ACTION:DISPLAY
    TRIGGER;VALUE=DURATION:-PT15M
    DESCRIPTION:Default Mozilla Description
    X-IN-ALARM:yes
    END:VALARM
    END:VTODO
    BEGIN:VEVENT
    UID:event-1
    DTSTAMP:20261101T000000Z
    DTSTART;VALUE=DATE:20261124
    SUMMARY:No task
    END:VEVENT
    BEGIN:VTODO
    UID:040ab6c0-1111-4f7e-9f3b-1b4c9d5f0002
    DTSTAMP:20261102T101112Z
    SUMMARY:Given up
    STATUS:CANCELLED
    DUE;VALUE=DATE:20261130
    RRULE:FREQ=MONTHLY;BYMONTHDAY=-1
    RELATED-TO;RELTYPE=DEPENDS-ON:040ab6c0-1111-4f7e-9f3b-1b4c9d5f0001
    RELATED-TO:some-parent
    SEQUENCE:7
    END:VTODO
    BEGIN:X-COMPONENT
    X-A:b
    END:X-COMPONENT
    END:VCALENDAR
    """)

  /// As Apple's Reminders and Nextcloud's Tasks write them: UTC, no status, a completed one.
  static let apple = ics(
    """
    BEGIN:VCALENDAR
    CALSCALE:GREGORIAN
    VERSION:2.0
    PRODID:-//Apple Inc.//macOS 15//EN
    BEGIN:VTODO
    UID:A1
    DTSTAMP:20261102T101112Z
    SUMMARY:Late in UTC
    DUE:20261121T150000Z
    X-APPLE-SORT-ORDER:690000000
    END:VTODO
    BEGIN:VTODO
    UID:A2
    DTSTAMP:20261102T101112Z
    COMPLETED:20261110T111111Z
    PERCENT-COMPLETE:100
    SUMMARY:Done long ago
    END:VTODO
    END:VCALENDAR
    """)

  /// What `task export` of Taskwarrior 2.6.2 printed, with a UDA (`estimate`), in Asia/Seoul.
  static let taskwarrior = #"""
    [
    {"id":1,"description":"Buy seeds, \"red\" 제목","due":"20261129T150000Z","entry":"20261121T124325Z","estimate":"PT2H","modified":"20261121T124326Z","priority":"H","project":"Home.Garden","status":"pending","uuid":"116e7f2f-f571-4024-ba6b-f1228557b6c5","annotations":[{"entry":"20261121T124325Z","description":"first note https:\/\/example.org\/a_b"},{"entry":"20261121T124326Z","description":"second"}],"tags":["garden","spring"],"urgency":21.8995},
    {"id":2,"description":"Second","entry":"20261121T124326Z","modified":"20261121T124326Z","status":"pending","uuid":"88ac9358-a5eb-4998-a5b4-10569682bced","wait":"20270104T150000Z","depends":["116e7f2f-f571-4024-ba6b-f1228557b6c5"],"urgency":-8},
    {"id":3,"description":"Water","due":"20261122T150000Z","entry":"20261121T124326Z","mask":"-","modified":"20261121T124326Z","recur":"weekly","rtype":"periodic","status":"recurring","uuid":"38365dbe-f195-40f5-b849-cf5b40b879a0","urgency":8.2995},
    {"id":4,"description":"Started","entry":"20261121T124326Z","modified":"20261121T124326Z","start":"20261121T124326Z","status":"pending","uuid":"7e012fff-a773-42e1-b4bd-bf9f8cf4ee0a","urgency":4},
    {"id":5,"description":"Water","due":"20261122T150000Z","entry":"20261121T124326Z","imask":0,"modified":"20261121T124326Z","parent":"38365dbe-f195-40f5-b849-cf5b40b879a0","recur":"weekly","rtype":"periodic","status":"pending","uuid":"2a15ce0c-65a5-49d4-84b0-491f1f2d84e0","urgency":8.2995},
    {"id":0,"description":"Gone","end":"20261121T124326Z","entry":"20261121T124326Z","modified":"20261121T124326Z","status":"deleted","uuid":"d49f0ada-b0c7-4e85-9e4e-c3b49d16b9e4","urgency":0},
    {"id":0,"description":"Finished","end":"20261121T124326Z","entry":"20261121T124326Z","modified":"20261121T124326Z","status":"completed","uuid":"c1b6e2c4-6af4-4cab-903f-07bcfe1fd713","urgency":0}
    ]

    """#

  /// As version 2.5 did: a task a line, what a task waits for in one text.
  static let oldTaskwarrior = #"""
    {"id":1,"description":"One","entry":"20200101T000000Z","status":"waiting","wait":"20300101T000000Z","uuid":"00000000-0000-4000-8000-000000000001"}
    {"id":2,"description":"Two","entry":"20200101T000000Z","status":"pending","depends":"00000000-0000-4000-8000-000000000001,00000000-0000-4000-8000-000000000003","uuid":"00000000-0000-4000-8000-000000000002","due":"20200102T103000Z"}
    """#

  /// The examples of todo.txt's rules, and what its programs add.
  static let todoTxt =
    "(A) Thank Mom for the meatballs @phone\n"
    + "(B) Schedule Goodwill pickup +GarageSale @phone\n"
    + "Post signs around the neighborhood +GarageSale\n"
    + "@GroceryStore Eskimo pies\n\n"
    + "(A) 2011-03-02 Call Mom +Family +PeaceLove&Happiness @iphone @phone due:2011-03-05 t:2011-03-04\n"
    + "Really gotta call Mom (A) @phone @someday\n"
    + "(b) Get back to the boss\r\n"
    + "x 2011-03-03 2011-03-01 Review Tim's pull request +TodoTxtTouch @github pri:C\n"
    + "xylophone lesson\nX 2012-01-01 Make resolutions\nx (A) Find ticket prices\n"
    + "  Two  blanks  stay https://example.org/a:b rec:+2w due:2026-11-30 at 10:30 re:mail"

  /// A note as people keep them, with GitHub's and Obsidian's marks.
  static let markdown = """
    # Garden

    Some words. [x] is no task here.

    - [ ] Buy seeds #garden #spring 📅 2026-11-30
      - the red ones
      	with a tab

        a paragraph of its own

      - [x] Look up the price ✅ 2026-11-20
      - [/] Ask a neighbour
    - [-] Given up
    * [X] Star
    1. [ ] First 🔁 every week ➕ 2026-11-01
    12) [>] Forwarded
    - no task
    - [ ]
    - [link](https://example.org)

    ```
    - [ ] code
    ```

    > - [ ] quoted
    \t- [ ] tab

    The end.
    """
}
