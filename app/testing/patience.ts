import { vi } from 'vitest';

/** How long a test waits for what must come, unless it says otherwise. A process may be held up for longer than the usual second. */
const patience = { timeout: 20_000 };

const { waitFor } = vi;

// Files that share a process come here one after the other.
if (waitFor.name !== 'waitPatiently')
  vi.waitFor = function waitPatiently(callback, options = {}) {
    return waitFor(callback, typeof options === 'number' ? options : { ...patience, ...options });
  };
