import { expect, test } from 'vitest';
import { type Finding, fine, type Guard, judgeRow, violatedBy, violatedByLoad } from './precedence';
import { worseVerdict } from './verdict';

const fact = (code: string) => ({ code, data: {} });
const loss = (verdict: 'WARN' | 'FAIL'): Finding => ({ verdict, fact: fact('lost'), kind: 'loss' });
const remark: Finding = { verdict: 'WARN', fact: fact('remark'), kind: 'remark' };
const good = [fact('good')];
const violated = violatedBy([fact('stolen')]);
const notEvaluated: Guard = { state: 'not-evaluated', facts: [fact('unsampled')] };

function outcome(evidence: Partial<Parameters<typeof judgeRow>[0]>): string {
  const { verdict, reason } = judgeRow({ findings: [], guards: [fine], good, ...evidence });
  return [verdict, ...reason.map(({ code }) => code)].join(' ');
}

test('what decides when several things are true of a row', () => {
  expect(outcome({})).toBe('PASS good');
  expect(outcome({ findings: [loss('FAIL')] })).toBe('FAIL lost');
  expect(outcome({ findings: [loss('WARN')] })).toBe('WARN lost');
  // A loss while a guard was violated, or could not be evaluated, proves nothing.
  expect(outcome({ findings: [loss('FAIL')], guards: [violated] })).toBe('INVALID stolen lost');
  expect(outcome({ findings: [loss('WARN')], guards: [notEvaluated, violated] })).toBe(
    'INVALID stolen unsampled lost',
  );
  // Our own streams filled the machine: the limit that was looked for, and what a full machine does by itself is no excuse.
  const isOwnLimit = true;
  const late = violatedByLoad([fact('row-late')]);
  expect(outcome({ findings: [loss('FAIL')], guards: [late] })).toBe('INVALID row-late lost');
  expect(outcome({ findings: [loss('FAIL')], guards: [late], isOwnLimit })).toBe('FAIL lost row-late');
  // A ring that overflowed, a process that died: the counts are void, however full the machine was.
  expect(outcome({ findings: [loss('FAIL')], guards: [late, violated], isOwnLimit })).toBe(
    'INVALID row-late stolen lost',
  );
  expect(outcome({ findings: [loss('FAIL')], guards: [notEvaluated], isOwnLimit })).toBe(
    'INVALID unsampled lost',
  );
  // All frames came: whatever disturbed the machine did not cost one.
  expect(outcome({ guards: [violated] })).toBe('PASS good stolen');
  expect(outcome({ guards: [notEvaluated] })).toBe('PASS good unsampled');
  expect(outcome({ guards: [violated], restsOnGuards: true })).toBe('INVALID stolen');
  // What is true whatever the guards were stays what it is.
  expect(outcome({ findings: [remark], guards: [violated] })).toBe('WARN remark stolen');
  // Nothing was measured.
  const absent = [fact('no-slot')];
  expect(outcome({ absent })).toBe('INVALID no-slot');
  expect(outcome({ absent, findings: [remark] })).toBe('INVALID no-slot remark');
  expect(outcome({ absent, findings: [loss('FAIL')] })).toBe('FAIL lost');
  // Figures that contradict each other carry no verdict.
  const contradictions = [fact('contradiction')];
  expect(outcome({ contradictions, findings: [loss('FAIL')] })).toBe('INVALID contradiction lost');
});

test('of a run, a FAIL that is proved outranks a row that could not be measured', () => {
  expect(worseVerdict('INVALID', 'FAIL')).toBe('FAIL');
  expect(worseVerdict('INVALID', 'WARN')).toBe('INVALID');
  expect(worseVerdict('PASS', 'WARN')).toBe('WARN');
});
