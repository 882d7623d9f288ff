// When a function runs: after a pause, or once more where it was called during a run.

/** A function that runs `run` once it was not called for so many milliseconds; `stop()` forgets a call. */
export function afterPause(run, pause) {
  let timer = 0;
  const later = (...given) => {
    clearTimeout(timer);
    timer = setTimeout(run, pause, ...given);
  };
  later.stop = () => clearTimeout(timer);
  return later;
}

/**
 * A function that runs `run`, one run at a time. All calls during a run cause one further run, and await it.
 * @param {() => Promise<any>} run
 */
export function coalesced(run) {
  let running = null;
  let again = false;
  return () => {
    again = true;
    running ??= (async () => {
      try {
        while (again) {
          again = false;
          await run();
        }
      } finally {
        running = null;
      }
    })();
    return running;
  };
}
