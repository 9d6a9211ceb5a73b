import { expect, test } from 'vitest';
import type { Fact } from '../../app/facts/fact';
import type { Verdict } from '../../app/facts/verdict';
import { atFault } from './at-fault';

const row = (verdict: Verdict | null, ...reason: Fact[]) => ({ label: '', verdict, reason });
const fact = (code: string, data: Fact['data'] = {}): Fact => ({ code, data });
const lost = fact('frames-lost');
const cpu = ['sender.cpuMaxPercent', 'receiver.cpuMaxPercent'];

test.each([
  ['what passed', [row('PASS', fact('no-frame-lost'), fact('others-busy'))], null],
  ['a row that is open', [row(null, lost)], null],
  ['losses', [row('FAIL', lost, fact('others-busy'))], 'lost'],
  ['frames that the sender missed', [row('FAIL', fact('frames-missed'))], 'lost'],
  ['an outage', [row('FAIL', fact('outage'))], 'lost'],
  ['stalls', [row('FAIL', fact('stalls'))], ['longestGapMs']],
  ['streams that stood still', [row('FAIL', fact('streams-not-passed', { stalls: 3 }))], ['longestGapMs']],
  ['streams that lost too', [row('FAIL', fact('streams-not-passed', { stalls: 3, lost: 1 }))], 'lost'],
  ['a busy machine', [row('WARN', fact('others-busy', { percent: 90 }))], cpu],
  [
    'a busy GPU',
    [row('WARN', fact('others-busy', { isGpu: true }))],
    ['sender.gpuMaxPercent', 'receiver.gpuMaxPercent'],
  ],
  [
    'the worst row',
    [row('INVALID', fact('cpu-stolen')), row('FAIL', lost), row('WARN', fact('stalls'))],
    'lost',
  ],
  ['a reason that no chart shows', [row('FAIL', fact('no-such')), row('INVALID', lost)], null],
  ['the first that one shows', [row('FAIL', fact('sums-disagree'), fact('stalls'), lost)], ['longestGapMs']],
  [
    'a row that was measured again',
    [{ ...row('FAIL', lost), label: 'replaced by row 2' }, row('PASS')],
    null,
  ],
])('of %s', (_, rows, fault) => {
  expect(atFault(rows)).toEqual(fault);
});
