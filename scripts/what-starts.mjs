const headlessFlag = '--headless';
/** What a user who only wants to see it work waits for; flags of his own come behind and count. */
const shortRamp = ['run', 'stream-load', '--report', '--hold', '10s'];

/**
 * What `npm start` starts with these arguments: a word is a command of the command line, with what follows it; flags alone are those
 * of the console or, without a display, of a ramp in the terminal. `why`: said before the ramp.
 */
export function whatStarts(given, hasDisplay) {
  const words = given.filter((argument) => argument !== headlessFlag);
  if (words.length > 0 && !words[0].startsWith('-')) return { command: words };
  const command = [...shortRamp, ...words];
  if (given.includes(headlessFlag)) return { command, why: '' };
  if (!hasDisplay) return { command, why: 'neither DISPLAY nor WAYLAND_DISPLAY is set: ' };
  return { console: words };
}
