/* The raw limit: a Unix socket that answers every client with what it sends. Usage: echo SOCKET */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void answer(int client) {
  char buffer[65536];
  for (;;) {
    ssize_t count = read(client, buffer, sizeof buffer);
    if (count <= 0) return;
    for (ssize_t done = 0; done < count;) {
      ssize_t written = write(client, buffer + done, count - done);
      if (written <= 0) return;
      done += written;
    }
  }
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
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
