import { vi } from 'vitest';

/** For so long a test waits for what must come, unless it sets a time: the usual second is over before a process that was held up goes on. */
const patience = { timeout: 20_000 };

const { waitFor } = vi;

// Files that share a process come here one after the other.
if (waitFor.name !== 'waitPatiently')
  vi.waitFor = function waitPatiently(callback, options = {}) {
    return waitFor(callback, typeof options === 'number' ? options : { ...patience, ...options });
  };
