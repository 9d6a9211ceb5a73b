import { expect, test } from 'vitest';
import { WhitelineError } from './errors';
import { Stop, stoppedText } from './stop';

test.each([
  ['Ctrl-C', Stop.bySignal('SIGINT'), 'stopped by Ctrl-C or SIGINT'],
  ['SIGTERM', Stop.bySignal('SIGTERM'), 'stopped by a signal (SIGTERM)'],
  ['SIGHUP', Stop.bySignal('SIGHUP'), 'stopped by a signal (SIGHUP)'],
  ['Stop', Stop.byOperator(), 'stopped by the operator'],
  ['the end of Whiteline', Stop.byClosing(), 'stopped because Whiteline was closed'],
  ['a fault', new WhitelineError({ code: 'DISK_FULL', message: 'No space left' }), 'stopped: No space left'],
  ['no one known', undefined, 'stopped'],
])('by %s, it says what is known', (_, reason, text) => {
  const abort = new AbortController();
  abort.abort(reason);
  expect(stoppedText(abort.signal)).toBe(text);
});
