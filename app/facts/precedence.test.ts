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
  expect(outcome({ findings: [loss('FAIL')], guards: [violated] })).toBe('INVALID lost stolen');
  expect(outcome({ findings: [loss('WARN')], guards: [notEvaluated, violated] })).toBe(
    'INVALID lost stolen unsampled',
  );
  // What no Windows tells of anybody excuses nothing, and is named.
  const neverTold: Guard = { ...notEvaluated, isNeverTold: true };
  expect(outcome({ findings: [loss('FAIL')], guards: [neverTold] })).toBe('FAIL lost unsampled');
  expect(outcome({ guards: [neverTold], restsOnGuards: true })).toBe('PASS good unsampled');
  expect(outcome({ findings: [loss('FAIL')], guards: [neverTold, violated] })).toBe(
    'INVALID lost stolen unsampled',
  );
  // Our own streams filled the machine: the limit that was looked for, and what a full machine does by itself is no excuse.
  const isOwnLimit = true;
  const late = violatedByLoad([fact('row-late')]);
  expect(outcome({ findings: [loss('FAIL')], guards: [late] })).toBe('INVALID lost row-late');
  expect(outcome({ findings: [loss('FAIL')], guards: [late], isOwnLimit })).toBe('FAIL lost row-late');
  // A ring that overflowed, a process that died: the counts are void, however full the machine was.
  expect(outcome({ findings: [loss('FAIL')], guards: [late, violated], isOwnLimit })).toBe(
    'INVALID lost row-late stolen',
  );
  expect(outcome({ findings: [loss('FAIL')], guards: [notEvaluated], isOwnLimit })).toBe(
    'INVALID lost unsampled',
  );
  // All frames came: whatever disturbed the machine did not cost one.
  expect(outcome({ guards: [violated] })).toBe('PASS good stolen');
  expect(outcome({ guards: [notEvaluated] })).toBe('PASS good unsampled');
  expect(outcome({ guards: [violated], restsOnGuards: true })).toBe('INVALID stolen');
  // What measured it stood still: no figure of it proves anything.
  const spoilt: Guard = { state: 'violated', facts: [fact('stopped')], spoilsFigures: true };
  expect(outcome({ guards: [spoilt] })).toBe('INVALID stopped');
  expect(outcome({ findings: [loss('FAIL')], guards: [spoilt], isOwnLimit })).toBe('INVALID lost stopped');
  // What is true whatever the guards were stays what it is.
  expect(outcome({ findings: [remark], guards: [violated] })).toBe('WARN remark stolen');
  // Findings that follow from guards come after them.
  const ofGuards: Finding = { ...remark, isOfGuards: true };
  expect(outcome({ findings: [ofGuards], guards: [violated] })).toBe('WARN stolen remark');
  expect(outcome({ findings: [ofGuards, loss('FAIL')], guards: [violated] })).toBe(
    'INVALID lost stolen remark',
  );
  // Nothing was measured.
  const absent = [fact('no-slot')];
  expect(outcome({ absent })).toBe('INVALID no-slot');
  expect(outcome({ absent, guards: [violated] })).toBe('INVALID no-slot stolen');
  expect(outcome({ absent, guards: [spoilt] })).toBe('INVALID no-slot stopped');
  expect(outcome({ absent, findings: [remark] })).toBe('INVALID remark no-slot');
  expect(outcome({ absent, findings: [loss('FAIL')] })).toBe('FAIL lost');
  // Figures that contradict each other carry no verdict.
  const contradictions = [fact('contradiction')];
  expect(outcome({ contradictions, findings: [loss('FAIL')] })).toBe('INVALID lost contradiction');
  // A stop that spoilt the figures is their cause.
  expect(outcome({ contradictions, guards: [spoilt] })).toBe('INVALID stopped contradiction');
  expect(outcome({ contradictions, findings: [remark, loss('FAIL')], guards: [spoilt] })).toBe(
    'INVALID remark lost stopped contradiction',
  );
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
    'INVALID link others stolen',
  );
  // Beside what is not proved, a FAIL that is proved stays one; a WARN does not say that the rest was within the profile.
  expect(outcome({ findings: [loss('FAIL'), proved('FAIL', null)], guards: [others] })).toBe(
    'FAIL link lost others',
  );
  expect(outcome({ findings: [proved('FAIL', 5)], guards: [others] })).toBe('FAIL link others');
  expect(outcome({ findings: [proved('WARN', 1, 'FAIL')], guards: [others] })).toBe('INVALID link others');
  expect(outcome({ findings: [loss('WARN'), proved('WARN', null)], guards: [others] })).toBe(
    'INVALID lost link others',
  );
  expect(outcome({ findings: [proved('FAIL', null)], guards: [others], restsOnGuards: true })).toBe(
    'INVALID link others',
  );
  const judgedOf = (findings: Finding[]): unknown[] =>
    judgeRow({ findings, guards: [others], good }).reason.map(({ data }) => data.judged);
  // What is not judged stands before the guard that says why.
  expect(judgedOf([loss('FAIL'), proved('FAIL', 5), remark])).toEqual([5, undefined, 0, undefined]);
  expect(outcome({ findings: [loss('FAIL'), proved('FAIL', 5), remark], guards: [others] })).toBe(
    'FAIL link remark lost others',
  );
  expect(judgedOf([proved('FAIL', null)])).toEqual([undefined, undefined]);
});

test('of a row that is INVALID nothing that was found is judged, and what follows from a guard stands after it', () => {
  const ofGuards: Finding = { ...remark, isOfGuards: true };
  const { reason } = judgeRow({ findings: [ofGuards, loss('FAIL'), remark], guards: [violated], good });
  expect(reason.map(({ code, data }) => [code, data.judged])).toEqual([
    ['lost', 0],
    ['remark', 0],
    ['stolen', undefined],
    ['remark', undefined],
  ]);
});

test('of a run, a FAIL that is proved outranks a row that could not be measured', () => {
  expect(worseVerdict('INVALID', 'FAIL')).toBe('FAIL');
  expect(worseVerdict('INVALID', 'WARN')).toBe('INVALID');
  expect(worseVerdict('PASS', 'WARN')).toBe('WARN');
});
