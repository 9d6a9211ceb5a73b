import { expect, test } from 'vitest';
import { wordsOf } from '../../facts/reason-words';
import { type DeadProcess, deathFacts } from './dead-process';

/** Two senders and a receiver of a machine that is out of reach. */
function lostWith(machine: string): DeadProcess[] {
  const why = `was given up: ${machine} was not reachable for 5 s`;
  const end = { exitCode: 1, signal: null, machine, why, isLost: true };
  return [
    { role: 'sending', number: 1, ...end },
    { role: 'sending', number: 2, ...end },
    { role: 'receiving', number: 1, ...end },
  ];
}

test('what was lost with a machine is said once', () => {
  const dead = lostWith('render-1');
  expect(wordsOf([...deathFacts('process-died', dead), ...deathFacts('process-lost', dead)])).toBe(
    'a stream process on render-1 was given up: render-1 was not reachable for 5 s, and could not be started again',
  );
});

test('each machine is named, and how a process ended there', () => {
  const [, , receiving] = lostWith('display-1');
  const crashed: DeadProcess = {
    ...{ role: 'sending', number: 2, exitCode: 139, signal: 'SIGSEGV', machine: 'render-2', isLost: false },
  };
  const dead = [...(receiving ? [receiving] : []), crashed];
  expect(wordsOf(deathFacts('process-died', dead))).toBe(
    'the receiving process on display-1 was given up: display-1 was not reachable for 5 s; ' +
      'the sending process 2 on render-2 was ended by SIGSEGV',
  );
});
