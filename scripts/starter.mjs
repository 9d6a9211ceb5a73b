import { readFileSync } from 'node:fs';

const lookMs = 500;

/** Calls `act` once npm, which started this process, is gone. Without npm nothing is watched: `nohup` is meant to go on. */
export function onNpmGone(act) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  // npm starts a shell, which may stay between.
  const above = isShell(parent) ? parentOf(parent) : null;
  const timer = setInterval(() => {
    const isThere = process.ppid === parent && (above === null || parentOf(parent) === above);
    if (isThere) return;
    clearInterval(timer);
    act();
  }, lookMs);
  timer.unref();
}

/** Where there is no /proc, the parent alone is watched. */
function statusOf(processId) {
  try {
    return readFileSync(`/proc/${processId}/stat`, 'utf8');
  } catch {
    return '';
  }
}

function isShell(processId) {
  return /^\d+ \((?:ba|da|z|k|a)?sh\)/.test(statusOf(processId));
}

function parentOf(processId) {
  const [, parent] = /\) \S (\d+)/.exec(statusOf(processId)) ?? [];
  return parent === undefined ? null : Number(parent);
}
