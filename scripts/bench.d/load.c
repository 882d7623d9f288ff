/* Puts a load on a daemon and prints what its clients see, in microseconds: median, 99th percentile, maximum.
 *
 *   load roundtrip SOCKET COUNT LINE                  one request at a time
 *   load times SOCKET COUNT LINE                      the same, but prints each time
 *   load asked SOCKET FILE                            each request of a file once, in turn; and the 95th percentile
 *                                                     in place of the 99th
 *   load inflight SOCKET COUNT CLIENTS WINDOW LINE    prints requests a second
 *   load fanout SOCKET COUNT CLIENTS STALLED LINE     from a write to the last of its notifications
 *   load lines COUNT FIRST LINE COMMAND...            asks a program that answers each line until a line "." comes
 *   load unknown COUNT COMMAND...                     a language server refuses a method that it does not know
 *   load start SOCKET COUNT COMMAND...                from exec to the first reply
 *   load bare COUNT COMMAND...                        from exec to the first byte of output
 *
 * A LINE is a request; in it, @ becomes a number that counts up, % that number modulo 64, and ^ the same in two digits. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"

typedef struct {
  int descriptor;
  size_t length;  /* bytes of `buffer` that no line has used up */
  size_t scanned; /* those of them that hold no end of a line */
  char buffer[16 << 20];
} peer;

static bool try_connect(peer *peer, const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  peer->length = peer->scanned = 0;
  peer->descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (!connect(peer->descriptor, (struct sockaddr *)&address, sizeof address)) return true;
  close(peer->descriptor);
  return false;
}

static peer *connect_to(const char *path) {
  peer *peer = malloc(sizeof *peer);
  if (!try_connect(peer, path)) fail(path);
  return peer;
}

static void send_bytes(int descriptor, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = write(descriptor, bytes, length);
    if (count <= 0) fail("write");
    bytes += count;
    length -= count;
  }
}

/* Writes the next request. */
static void send_line_to(int descriptor, const char *line, unsigned number) {
  char request[8192];
  size_t length = 0;
  for (; *line; line++) {
    if (*line == '@') length += sprintf(request + length, "%u", number);
    else if (*line == '%') length += sprintf(request + length, "%u", number % 64);
    else if (*line == '^') length += sprintf(request + length, "%02u", number % 64);
    else request[length++] = *line;
  }
  request[length++] = '\n';
  send_bytes(descriptor, request, length);
}

static void send_line(peer *peer, const char *line, unsigned number) { send_line_to(peer->descriptor, line, number); }

static void fill(peer *peer) {
  ssize_t count = read(peer->descriptor, peer->buffer + peer->length, sizeof peer->buffer - peer->length);
  if (count <= 0) fail("read");
  peer->length += count;
}

/* Takes the lines that are there and returns how many; a failure among them ends the bench. */
static int take_lines(peer *peer) {
  int count = 0;
  char *rest = peer->buffer, *end = peer->buffer + peer->length, *from = rest + peer->scanned, *stop;
  while ((stop = memchr(from, '\n', end - from))) {
    *stop = 0;
    /* It stands at the head; a reply may be megabytes long. */
    size_t head = stop - rest < 160 ? stop - rest : 160;
    if (memmem(rest, head, "\"error\":{", 9)) {
      errno = 0;
      fail(rest);
    }
    count++;
    from = rest = stop + 1;
  }
  if (rest > peer->buffer) memmove(peer->buffer, rest, end - rest);
  peer->length = peer->scanned = end - rest;
  return count;
}

static void receive(peer *peer, int count) {
  while (count > 0) {
    fill(peer);
    count -= take_lines(peer);
  }
}

static void roundtrip(const char *path, int count, const char *line, bool prints_each) {
  peer *peer = connect_to(path);
  double *times = malloc(count * sizeof *times);
  int warmup = count / 10 + 1;
  for (int i = -warmup; i < count; i++) {
    double start = now();
    send_line(peer, line, i + warmup);
    receive(peer, 1);
    if (i >= 0) times[i] = now() - start;
  }
  if (!prints_each) report(times, count);
  else
    for (int i = 0; i < count; i++) printf("%.1f\n", times[i]);
}

/* What a question costs that nobody has asked before, of a daemon that has answered its like. */
static void asked(const char *path, const char *questions) {
  FILE *file = fopen(questions, "r");
  if (!file) fail(questions);
  char **lines = NULL;
  size_t count = 0, size = 0;
  for (char *line = NULL; getline(&line, &size, file) > 0; line = NULL, size = 0) {
    line[strcspn(line, "\n")] = 0;
    lines = realloc(lines, (count + 1) * sizeof *lines);
    lines[count++] = line;
  }
  peer *peer = connect_to(path);
  double *times = malloc(count * sizeof *times);
  size_t warmup = count / 10, measured = count - warmup;
  for (size_t i = 0; i < count; i++) {
    double start = now();
    send_line(peer, lines[i], i);
    receive(peer, 1);
    if (i >= warmup) times[i - warmup] = now() - start;
  }
  report_at(times, measured, 0.95);
}

static void inflight(const char *path, int count, int clients, int window, const char *line) {
  int events = epoll_create1(0), sent = 0, received = 0;
  for (int i = 0; i < clients; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connect_to(path)};
    epoll_ctl(events, EPOLL_CTL_ADD, ((peer *)event.data.ptr)->descriptor, &event);
    for (int j = 0; j < window; j++) send_line(event.data.ptr, line, sent++);
  }
  double start = now();
  while (received < count) {
    struct epoll_event ready[64];
    int some = epoll_wait(events, ready, 64, 10000);
    if (some <= 0) fail("no reply");
    for (int i = 0; i < some; i++) {
      peer *peer = ready[i].data.ptr;
      fill(peer);
      int lines = take_lines(peer);
      received += lines;
      while (lines-- > 0 && sent < count) send_line(peer, line, sent++);
    }
  }
  printf("%.0f\n", received / (now() - start) * 1e6);
}

static void fanout(const char *path, int count, int clients, int stalled, const char *line) {
  const char *subscribe = "{\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":\"changes/subscribe\",\"params\":{}}";
  int events = epoll_create1(0);
  for (int i = 0; i < clients + stalled; i++) {
    peer *peer = connect_to(path);
    send_line(peer, subscribe, 0);
    receive(peer, 1);
    if (i >= clients) continue; /* and it never reads again */
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = peer};
    epoll_ctl(events, EPOLL_CTL_ADD, peer->descriptor, &event);
  }
  peer *writer = connect_to(path);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = writer};
  epoll_ctl(events, EPOLL_CTL_ADD, writer->descriptor, &event);
  double *times = malloc(count * sizeof *times);
  /* Long enough that the stalled ones' buffers are full when the measuring begins. */
  int warmup = 500;
  for (int i = -warmup; i < count; i++) {
    int missing = clients + 1;
    double start = now(), last = start;
    send_line(writer, line, i + warmup);
    while (missing > 0) {
      struct epoll_event ready[128];
      int some = epoll_wait(events, ready, 128, 10000);
      if (some <= 0) fail("no notification");
      for (int j = 0; j < some; j++) {
        fill(ready[j].data.ptr);
        missing -= take_lines(ready[j].data.ptr);
      }
      last = now();
    }
    if (i >= 0) times[i] = last - start;
  }
  report(times, count);
}

/* Starts a command; `input` and `output` are pipes to it where they are asked for. */
static pid_t start(char **command, int *input, int *output) {
  int in[2] = {-1, -1}, out[2] = {-1, -1};
  if ((input && pipe2(in, O_CLOEXEC)) || (output && pipe2(out, O_CLOEXEC))) fail("pipe");
  pid_t process = fork();
  if (process < 0) fail("fork");
  if (process == 0) {
    int null = open("/dev/null", O_RDWR);
    dup2(input ? in[0] : null, 0);
    dup2(output ? out[1] : null, 1);
    dup2(null, 2);
    execvp(command[0], command);
    _exit(127);
  }
  if (input) *input = in[1], close(in[0]);
  if (output) *output = out[0], close(out[1]);
  return process;
}

static void stop(pid_t process, int signal) {
  kill(process, signal);
  waitpid(process, NULL, 0);
}

static void receive_until_dot(int input, char *buffer, size_t size) {
  size_t length = 0;
  do {
    ssize_t count = read(input, buffer + length, size - length);
    if (count <= 0) fail("no answer");
    length += count;
    if (!strncmp(buffer, "ERR", length < 3 ? length : 3)) {
      errno = 0;
      fail("the program refuses the line");
    }
  } while (length < 3 || memcmp(buffer + length - 3, "\n.\n", 3));
}

static void ask_lines(int count, const char *first, const char *line, char **command) {
  static char buffer[16 << 20];
  int input, output;
  pid_t process = start(command, &input, &output);
  send_line_to(input, first, 0);
  receive_until_dot(output, buffer, sizeof buffer);
  double *times = malloc(count * sizeof *times);
  int warmup = count / 10 + 1;
  for (int i = -warmup; i < count; i++) {
    double start = now();
    send_line_to(input, line, i + warmup);
    receive_until_dot(output, buffer, sizeof buffer);
    if (i >= 0) times[i] = now() - start;
  }
  stop(process, SIGKILL);
  report(times, count);
}

static void send_frame(int descriptor, const char *body) {
  char frame[4096];
  send_bytes(descriptor, frame, sprintf(frame, "Content-Length: %zu\r\n\r\n%s", strlen(body), body));
}

/* Reads frames until one answers `id`. */
static void receive_answer(FILE *input, int id) {
  static char body[1 << 20];
  char line[256], mark[32];
  sprintf(mark, "\"id\":%d", id);
  for (;;) {
    size_t length = 0;
    while (fgets(line, sizeof line, input) && strcmp(line, "\r\n")) sscanf(line, "Content-Length: %zu", &length);
    if (length == 0 || length >= sizeof body || fread(body, 1, length, input) != length) fail("no answer");
    body[length] = 0;
    if (strstr(body, mark) && !strstr(body, "\"method\":")) return;
  }
}

static void unknown(int count, char **command) {
  int input, output;
  pid_t process = start(command, &input, &output);
  FILE *answers = fdopen(output, "r");
  send_frame(input, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"processId\":null,\"rootUri\":null,"
                    "\"capabilities\":{}}}");
  receive_answer(answers, 0);
  send_frame(input, "{\"jsonrpc\":\"2.0\",\"method\":\"initialized\",\"params\":{}}");
  double *times = malloc(count * sizeof *times);
  int warmup = count / 10 + 1;
  for (int i = -warmup; i < count; i++) {
    char request[128];
    sprintf(request, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"none/such\",\"params\":{}}", i + warmup + 1);
    double start = now();
    send_frame(input, request);
    receive_answer(answers, i + warmup + 1);
    if (i >= 0) times[i] = now() - start;
  }
  stop(process, SIGKILL);
  report(times, count);
}

static void start_to_reply(const char *path, int count, char **command) {
  double *times = malloc(count * sizeof *times);
  for (int i = -1; i < count; i++) {
    static peer peer;
    double begin = now();
    pid_t process = start(command, NULL, NULL);
    while (!try_connect(&peer, path)) {
      if (now() - begin > 10e6) fail("it does not listen");
      nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
    send_line(&peer, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/ping\"}", 0);
    receive(&peer, 1);
    if (i >= 0) times[i] = now() - begin;
    close(peer.descriptor);
    stop(process, SIGTERM);
  }
  report(times, count);
}

static void bare_start(int count, char **command) {
  double *times = malloc(count * sizeof *times);
  for (int i = -1; i < count; i++) {
    char byte;
    int output;
    double begin = now();
    pid_t process = start(command, NULL, &output);
    if (read(output, &byte, 1) != 1) fail(command[0]);
    if (i >= 0) times[i] = now() - begin;
    close(output);
    stop(process, SIGKILL);
  }
  report(times, count);
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);
  const char *what = argc > 3 ? argv[1] : "";
  if (!strcmp(what, "roundtrip") && argc == 5) roundtrip(argv[2], atoi(argv[3]), argv[4], false);
  else if (!strcmp(what, "times") && argc == 5) roundtrip(argv[2], atoi(argv[3]), argv[4], true);
  else if (!strcmp(what, "asked") && argc == 4) asked(argv[2], argv[3]);
  else if (!strcmp(what, "inflight") && argc == 7)
    inflight(argv[2], atoi(argv[3]), atoi(argv[4]), atoi(argv[5]), argv[6]);
  else if (!strcmp(what, "fanout") && argc == 7)
    fanout(argv[2], atoi(argv[3]), atoi(argv[4]), atoi(argv[5]), argv[6]);
  else if (!strcmp(what, "lines") && argc > 5) ask_lines(atoi(argv[2]), argv[3], argv[4], argv + 5);
  else if (!strcmp(what, "unknown")) unknown(atoi(argv[2]), argv + 3);
  else if (!strcmp(what, "start") && argc > 4) start_to_reply(argv[2], atoi(argv[3]), argv + 4);
  else if (!strcmp(what, "bare")) bare_start(atoi(argv[2]), argv + 3);
  else return fputs("bench: see the head of load.c\n", stderr), 2;
}
