import { expect, test } from 'vitest';
import {
  aboutLoad,
  type Finding,
  fine,
  type Guard,
  judgeRow,
  violatedBy,
  violatedByLoad,
} from './precedence';
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
  // What measured it stood still: no figure of it proves anything.
  const spoilt: Guard = { state: 'violated', facts: [fact('stopped')], spoilsFigures: true };
  expect(outcome({ guards: [spoilt] })).toBe('INVALID stopped');
  expect(outcome({ findings: [loss('FAIL')], guards: [spoilt], isOwnLimit })).toBe('INVALID stopped lost');
  // What is true whatever the guards were stays what it is.
  expect(outcome({ findings: [remark], guards: [violated] })).toBe('WARN remark stolen');
  // Findings that follow from guards come after them.
  const ofGuards: Finding = { ...remark, isOfGuards: true };
  expect(outcome({ findings: [ofGuards], guards: [violated] })).toBe('WARN stolen remark');
  expect(outcome({ findings: [ofGuards, loss('FAIL')], guards: [violated] })).toBe(
    'INVALID stolen remark lost',
  );
  // Nothing was measured.
  const absent = [fact('no-slot')];
  expect(outcome({ absent })).toBe('INVALID no-slot');
  expect(outcome({ absent, guards: [violated] })).toBe('INVALID no-slot stolen');
  expect(outcome({ absent, guards: [spoilt] })).toBe('INVALID stopped no-slot');
  expect(outcome({ absent, findings: [remark] })).toBe('INVALID no-slot remark');
  expect(outcome({ absent, findings: [loss('FAIL')] })).toBe('FAIL lost');
  // Figures that contradict each other carry no verdict.
  const contradictions = [fact('contradiction')];
  expect(outcome({ contradictions, findings: [loss('FAIL')] })).toBe('INVALID contradiction lost');
  // A stop that spoilt the figures is their cause.
  expect(outcome({ contradictions, guards: [spoilt] })).toBe('INVALID stopped contradiction');
});

test('a recorded fact proves a loss, however busy the machine was', () => {
  const proved = (verdict: 'WARN' | 'FAIL', part: number | null, of = verdict): Finding => ({
    ...{ ...loss(of), fact: fact('link') },
    proved: { verdict, part },
  });
  const others = aboutLoad(violatedBy([fact('others')]));
  const notChecked = aboutLoad({ state: 'not-evaluated', facts: [fact('others-unknown')] });
  const late = violatedByLoad([fact('row-late')]);
  expect(outcome({ findings: [proved('FAIL', null)], guards: [others] })).toBe('FAIL link others');
  expect(outcome({ findings: [proved('WARN', null)], guards: [notChecked] })).toBe(
    'WARN link others-unknown',
  );
  expect(outcome({ findings: [proved('FAIL', null)], guards: [late] })).toBe('FAIL link row-late');
  expect(outcome({ findings: [proved('FAIL', null), remark], guards: [others] })).toBe(
    'FAIL link remark others',
  );
  // A process of ours that was stopped may have lost it all the same.
  expect(outcome({ findings: [proved('FAIL', null)], guards: [others, violated] })).toBe(
    'INVALID others stolen link',
  );
  // Beside what is not proved, a FAIL that is proved stays one; a WARN does not say that the rest was within the profile.
  expect(outcome({ findings: [loss('FAIL'), proved('FAIL', null)], guards: [others] })).toBe(
    'FAIL link lost others',
  );
  expect(outcome({ findings: [proved('FAIL', 5)], guards: [others] })).toBe('FAIL link others');
  expect(outcome({ findings: [proved('WARN', 1, 'FAIL')], guards: [others] })).toBe('INVALID others link');
  expect(outcome({ findings: [loss('WARN'), proved('WARN', null)], guards: [others] })).toBe(
    'INVALID others lost link',
  );
  expect(outcome({ findings: [proved('FAIL', null)], guards: [others], restsOnGuards: true })).toBe(
    'INVALID others link',
  );
  const judgedOf = (findings: Finding[]): unknown[] =>
    judgeRow({ findings, guards: [others], good }).reason.map(({ data }) => data.judged);
  expect(judgedOf([proved('FAIL', 5), loss('FAIL'), remark])).toEqual([5, 0, undefined, undefined]);
  expect(judgedOf([proved('FAIL', null)])).toEqual([undefined, undefined]);
});

test('of a run, a FAIL that is proved outranks a row that could not be measured', () => {
  expect(worseVerdict('INVALID', 'FAIL')).toBe('FAIL');
  expect(worseVerdict('INVALID', 'WARN')).toBe('INVALID');
  expect(worseVerdict('PASS', 'WARN')).toBe('WARN');
});
