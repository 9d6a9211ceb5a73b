import { vi } from 'vitest';

/** Against hanging alone: a busy machine may hold a process up for longer than the usual second. */
const patience = { timeout: 60_000 };

const { waitFor } = vi;

// Files that share a process come here one after the other.
if (waitFor.name !== 'waitPatiently')
  vi.waitFor = function waitPatiently(callback, options = {}) {
    return waitFor(callback, typeof options === 'number' ? options : { ...patience, ...options });
  };
