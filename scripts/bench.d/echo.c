/* The raw limit: a Unix socket that answers every client with what it sends, or what it sends with a line of so many
 * bytes. Usage: echo SOCKET [BYTES] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static size_t size;
static char *line;

static void answer(int client) {
  char buffer[65536];
  for (;;) {
    ssize_t count = read(client, buffer, sizeof buffer);
    if (count <= 0) return;
    const char *bytes = line ? line : buffer;
    if (line) count = size;
    for (ssize_t done = 0; done < count;) {
      ssize_t written = write(client, bytes + done, count - done);
      if (written <= 0) return;
      done += written;
    }
  }
}

int main(int argc, char **argv) {
  if (argc != 2 && argc != 3) return 2;
  if (argc == 3) {
    size = strtoul(argv[2], NULL, 10);
    line = memset(malloc(size), 'x', size);
    line[size - 1] = '\n';
  }
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
  unlink(argv[1]);
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 8)) {
    perror(argv[1]);
    return 1;
  }
  for (;;) {
    int client = accept(listener, NULL, NULL);
    if (client < 0) continue;
    answer(client);
    close(client);
  }
}
