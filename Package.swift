// swift-tools-version: 6.2
// Targets are sorted by name within their group; one dependency a line.
// A target exists only where a dependency must be kept out; everywhere else there is a folder.
//
// Targets share declarations as `package`. The few generic ones that run for each row or member are `public`: release
// builds specialize only those for the types of another module (`-cross-module-optimization`).

import PackageDescription

let settings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
]

// Also in debug builds, in which every letter of a text and every point of a picture passes through them.
let optimized: [CSetting] = [.unsafeFlags(["-O2"])]

let package = Package(
  name: "commonplace",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "commonplace", targets: ["commonplace"]),
    .executable(name: "commonplace-mcp", targets: ["commonplace-mcp"]),
    .executable(name: "commonplace-pdf", targets: ["commonplace-pdf"]),
    .executable(name: "commonplace-web", targets: ["commonplace-web"]),
  ],
  // Exact, so that what is installed is what was tested.
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    // What swift-nio needs. Link names them for a platform that this is not built for, since nothing here uses them.
    .package(url: "https://github.com/apple/swift-atomics", exact: "1.3.0"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
  ],
  targets: [
    // MARK: C
    .target(
      name: "CArchive",
      dependencies: [
        "CLoad"
      ]),
    .target(
      name: "CCrypto",
      dependencies: [
        "CLoad"
      ]),
    .target(
      name: "CCurl",
      dependencies: [
        "CLoad"
      ]),
    .target(
      name: "CICU",
      dependencies: [
        "CLoad"
      ]),
    // In C, whose compiler embeds a file in a few milliseconds.
    .target(name: "CLanguages"),
    .target(name: "CLoad"),
    .target(
      name: "CPCRE",
      dependencies: [
        "CLoad"
      ]),
    // In C for the same reason: the page of commonplace-web.
    .target(name: "CPage"),
    .systemLibrary(
      name: "CPoppler",
      pkgConfig: "poppler-glib",
      providers: [.apt(["libpoppler-glib-dev"])]),
    .target(name: "CSandbox"),
    .target(
      name: "CScan",
      cSettings: optimized,
      linkerSettings: [
        .linkedLibrary("jpeg"),
        .linkedLibrary("lcms2"),
        .linkedLibrary("tiff"),
      ]),
    .target(
      name: "CSplash",
      cxxSettings: [
        .unsafeFlags(["-I/usr/include/poppler/cpp"])
      ],
      linkerSettings: [.linkedLibrary("poppler-cpp")]),
    .target(
      name: "CStore",
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "CTOML"),
    .target(
      name: "CTokenizer",
      cSettings: optimized,
      linkerSettings: [
        .linkedLibrary("sqlite3"),
        .linkedLibrary("utf8proc"),
      ]),
    .systemLibrary(
      name: "CUTF8Proc",
      providers: [.apt(["libutf8proc-dev"])]),
    .target(
      name: "CXML",
      dependencies: [
        "CLoad"
      ],
      cSettings: [
        // For the headers alone: libxml2 and libuchardet are loaded when they are first used.
        .unsafeFlags(["-I/usr/include/libxml2"])
      ]),

    // MARK: Libraries
    .target(
      name: "Boards",
      dependencies: [
        "Contract",
        "Crypto",
        "Display",
        "Exchange",
        "HTTP",
        "Kit",
        "Markup",
        "SQLite",
        "SearchEngine",
        "Store",
        "Wire",
      ],
      swiftSettings: settings),
    .target(
      name: "Books",
      dependencies: [
        "Contract",
        "Crypto",
        "Display",
        "Exchange",
        "HTTP",
        "Kit",
        "Markup",
        "SQLite",
        "SearchEngine",
        "Store",
        "Wire",
      ],
      swiftSettings: settings),
    .target(
      name: "Client",
      dependencies: [
        "Contract",
        "Link",
        "Wire",
      ],
      swiftSettings: settings),
    .target(
      name: "Contract",
      dependencies: [
        "Wire"
      ],
      swiftSettings: settings),
    .target(
      name: "Crypto",
      dependencies: [
        "CCrypto"
      ],
      swiftSettings: settings),
    .target(
      name: "Daemon",
      dependencies: [
        "CSandbox",
        "CTOML",
        "Contract",
        "Display",
        "HTTP",
        "Kit",
        "Link",
        "PDF",
        "SQLite",
        "Store",
        "System",
        "Threads",
        "Wire",
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      swiftSettings: settings),
    .target(
      name: "Diary",
      dependencies: [
        "Contract",
        "Crypto",
        "Display",
        "Exchange",
        "Kit",
        "SQLite",
        "SearchEngine",
        "Store",
        "Wire",
        "Zip",
      ],
      swiftSettings: settings),
    .target(
      name: "Display",
      dependencies: [
        "CICU",
        "CLanguages",
        "CUTF8Proc",
        "Wire",
      ],
      exclude: [
        "Languages"
      ],
      swiftSettings: settings),
    .target(
      name: "Documents",
      dependencies: [
        "CPCRE",
        "Contract",
        "Crypto",
        "Display",
        "Exchange",
        "HTTP",
        "Kit",
        "PDF",
        "SQLite",
        "SearchEngine",
        "Store",
        "Wire",
        "Zip",
      ],
      swiftSettings: settings),
    .target(
      name: "Exchange",
      dependencies: [
        "Contract",
        "Display",
        "Kit",
        "SQLite",
        "SearchEngine",
        "Store",
        "Wire",
        "Zip",
      ],
      swiftSettings: settings),
    .target(
      name: "Features",
      dependencies: [
        "Boards",
        "Books",
        "Diary",
        "Documents",
        "Files",
        "Kit",
        "Notes",
        "Projects",
        "Search",
        "Sync",
        "System",
        "Texts",
      ],
      swiftSettings: settings),
    .target(
      name: "Files",
      dependencies: [
        "Contract",
        "Display",
        "Exchange",
        "Kit",
        "PDF",
        "SQLite",
        "Store",
        "Wire",
      ],
      swiftSettings: settings),
    .target(
      name: "HTTP",
      dependencies: [
        "CCurl",
        "CICU",
        "Crypto",
        "Threads",
        "Wire",
      ],
      swiftSettings: settings),
    .target(
      name: "Kit",
      dependencies: [
        "Contract",
        "Display",
        "HTTP",
        "PDF",
        "SQLite",
        "SearchEngine",
        "Store",
        "Threads",
        "Wire",
      ],
      swiftSettings: settings),
    .target(
      name: "Link",
      dependencies: [
        "Wire",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "Atomics", package: "swift-atomics", condition: .when(platforms: [.windows])),
        .product(name: "SystemPackage", package: "swift-system", condition: .when(platforms: [.windows])),
      ],
      swiftSettings: settings),
    .target(
      name: "Markup",
      dependencies: [
        "CXML",
        "Contract",
        "Wire",
      ],
      swiftSettings: settings),
    .target(
      name: "Notes",
      dependencies: [
        "Contract",
        "Exchange",
        "Kit",
        "Markup",
        "SearchEngine",
        "Store",
        "Wire",
      ],
      swiftSettings: settings),
    .target(
      name: "PDF",
      dependencies: [
        "CSandbox",
        "Threads",
      ],
      swiftSettings: settings),
    .target(
      name: "Projects",
      dependencies: [
        "Contract",
        "Display",
        "Exchange",
        "HTTP",
        "Kit",
        "SQLite",
        "SearchEngine",
        "Store",
        "Wire",
      ],
      swiftSettings: settings),
    .target(
      name: "SQLite",
      dependencies: [
        "CStore",
        "Wire",
      ],
      swiftSettings: settings),
    .target(
      name: "Search",
      dependencies: [
        "Contract",
        "Display",
        "Kit",
        "SQLite",
        "SearchEngine",
        "Store",
        "Wire",
      ],
      swiftSettings: settings),
    .target(
      name: "SearchEngine",
      dependencies: [
        "CStore",
        "CTokenizer",
        "SQLite",
        "Wire",
      ],
      swiftSettings: settings),
    .target(
      name: "Store",
      dependencies: [
        "CStore",
        "Contract",
        "Crypto",
        "SQLite",
        "SearchEngine",
        "Threads",
        "Wire",
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      swiftSettings: settings),
    .target(
      name: "Sync",
      dependencies: [
        "Contract",
        "Crypto",
        "Display",
        "Exchange",
        "HTTP",
        "Kit",
        "Markup",
        "SQLite",
        "Store",
        "Wire",
        "Zip",
      ],
      swiftSettings: settings),
    .target(
      name: "System",
      dependencies: [
        "Contract",
        "Display",
        "Exchange",
        "Kit",
        "SQLite",
        "SearchEngine",
        "Store",
        "Wire",
      ],
      swiftSettings: settings),
    .target(
      name: "Texts",
      dependencies: [
        "Contract",
        "Display",
        "Kit",
        "SQLite",
        "Store",
        "Wire",
      ],
      swiftSettings: settings),
    .target(
      name: "Threads",
      swiftSettings: settings),
    .target(
      name: "Wire",
      swiftSettings: settings),
    .target(
      name: "Zip",
      dependencies: [
        "CArchive"
      ],
      swiftSettings: settings),

    // MARK: Executables
    .executableTarget(
      name: "commonplace",
      dependencies: [
        "CSandbox",
        "Client",
        "Contract",
        "Daemon",
        "Display",
        "Features",
        "HTTP",
        "Kit",
        "Link",
        "PDF",
        "Store",
        "Threads",
        "Wire",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "commonplace-mcp",
      dependencies: [
        "Client",
        "Contract",
        "Display",
        "Threads",
        "Wire",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "commonplace-pdf",
      dependencies: [
        "CPoppler",
        "CSandbox",
        "CScan",
        "CSplash",
        "PDF",
      ],
      swiftSettings: settings,
      linkerSettings: [
        .linkedLibrary("gio-2.0")
      ]),
    .executableTarget(
      name: "commonplace-web",
      dependencies: [
        "CPage",
        "Client",
        "Display",
        "Link",
        "Threads",
        "Wire",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ],
      exclude: [
        "Page"
      ],
      swiftSettings: settings),

    // MARK: Tests
    .target(
      name: "TestSupport",
      dependencies: [
        "Client",
        "Contract",
        "Daemon",
        "Display",
        "Exchange",
        "Features",
        "HTTP",
        "Kit",
        "Link",
        "PDF",
        "SQLite",
        "SearchEngine",
        "Store",
        "System",
        "Wire",
      ],
      path: "Tests/TestSupport",
      swiftSettings: settings),
    .executableTarget(
      name: "TestDaemonProgram",
      dependencies: [
        "TestSupport"
      ],
      path: "Tests/TestDaemonProgram",
      swiftSettings: settings),
    .testTarget(
      name: "DaemonTests",
      dependencies: [
        "TestDaemonProgram",
        "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "TestSupport",
        "commonplace",
        "commonplace-mcp",
        "commonplace-pdf",
        "commonplace-web",
      ],
      exclude: [
        "Agents/mcp-2026-07-28.json"
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FeatureTests",
      dependencies: [
        "TestSupport",
        "commonplace-pdf",
      ],
      resources: [
        .copy("Fixtures")
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ProtocolTests",
      dependencies: [
        "TestSupport"
      ],
      exclude: [
        "level-1.json",
        "outline-methods.txt",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "UnitTests",
      dependencies: [
        "Sync",
        "TestSupport",
        "commonplace-pdf",
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
