import { preflightDeclaration } from '../../app/experiments/preflight/declaration';
import {
  type PreflightCheckId,
  type PreflightGroup,
  preflightGroups,
  preflightLabels,
} from '../../app/experiments/preflight/labels';
import type { Row } from '../../app/facts/row';
import { scalarOf } from '../../app/facts/row-figures';
import { isOfThisMachine } from '../../app/protocol/stream-parameters';
import type { ConsoleView } from '../engine/console-store';

export type LineState = 'ok' | 'warning' | 'problem' | 'unknown';
/** The worst first. */
export const lineStates: readonly LineState[] = ['problem', 'warning', 'unknown', 'ok'];

/** What the preflight said of one thing. */
export interface Line {
  state: LineState;
  found: string;
  advice: string;
  command: string;
}

/** One run of the preflight, as far as it is. */
export interface Look {
  runId: string;
  isRunning: boolean;
  /** When the first thing was checked; null before. */
  startedAt: string | null;
  lines: Partial<Record<PreflightCheckId, Line>>;
}

export const checkIds = Object.keys(preflightLabels) as PreflightCheckId[];

export const groups = Object.entries(preflightGroups).map(([id, labels]) => ({
  id: id as PreflightGroup,
  checks: Object.keys(labels) as PreflightCheckId[],
}));

/** The newest run, if it is a preflight. */
export function lookOf({ engine, rows }: Pick<ConsoleView, 'engine' | 'rows'>): Look | null {
  if (engine?.run?.experiment !== preflightDeclaration.id) return null;
  // If several machines were checked side by side, this screen shows this one.
  const found = rows.filter((row) => checkOf(row) !== undefined && isOfThisMachine(row));
  if (rows.length > 0 && !rows.some(isOfThisMachine)) return null;
  return {
    runId: engine.run.id,
    isRunning: engine.mode === 'experiment' || engine.mode === 'stopping',
    startedAt: found[0]?.from ?? null,
    lines: Object.fromEntries(found.map((row) => [checkOf(row), lineOf(row)])),
  };
}

function checkOf(row: Row): PreflightCheckId | undefined {
  return checkIds.find((id) => id === row.details?.check);
}

function lineOf(row: Row): Line {
  const text = (name: string): string => String(scalarOf(row, `preflight.${name}`) ?? '');
  const state = lineStates.find((known) => known === text('state')) ?? 'unknown';
  return { state, found: text('found'), advice: text('advice'), command: text('command') };
}

/** How many things are in each state, the worst first. */
export function countsOf({ lines }: Look): { state: LineState; count: number }[] {
  const states = Object.values(lines).map(({ state }) => state);
  return lineStates
    .map((state) => ({ state, count: states.filter((each) => each === state).length }))
    .filter(({ count }) => count > 0);
}

/** What is being checked, or would have been next. */
export function nextCheck({ lines }: Look): PreflightCheckId | undefined {
  return checkIds.find((id) => lines[id] === undefined);
}
