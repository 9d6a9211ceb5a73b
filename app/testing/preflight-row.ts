import type { Row } from '../facts/row';
import type { Verdict } from '../facts/verdict';

const verdicts = { ok: 'PASS', warning: 'WARN', problem: 'FAIL', unknown: 'WARN' } satisfies Record<
  string,
  Verdict
>;
export type PreflightState = keyof typeof verdicts;

const at = '2026-11-20T10:00:00.000Z';

/** What the preflight found of one thing, on this machine or on one of a fleet. */
export function preflightRow(check: string, state: PreflightState, machine?: string): Row {
  return {
    ...{ index: 0, label: check, from: at, to: at, subjects: [], load: {}, notMeasured: {} },
    step: machine === undefined ? {} : { machine },
    figures: { 'preflight.state': state },
    ...{ details: { check }, verdict: verdicts[state], reason: [] },
    found: { code: 'mtu-small', data: { name: 'eth0', mtuBytes: 1400, usualBytes: 1500 } },
  };
}
