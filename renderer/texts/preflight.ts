import type { PreflightGroup } from '../../app/experiments/preflight/labels';
import type { LineState } from '../preflight/look';

/** What the Preflight screen says; what was found and what to do about it comes from the engine. */
export const preflightTexts = {
  title: 'Preflight',
  purpose:
    'Are this machine and its network set up right for video? Preflight checks known causes of lost frames, and changes nothing.',
  form: 'What is checked',
  run: 'Check now',
  runAgain: 'Check again',
  chooseMovie: 'Choose a movie…',
  busy: 'A measurement is running. Stop it first.',
  notRunning: 'The engine is not running.',
  looking: (line: number, lines: number) => `Checking ${line} of ${lines}`,
  list: 'What was found',
  never: 'Not run yet',
  neverText: 'The checks take a few seconds. Name another machine to test the path to it too.',
  lookedAt: (time: string) => `Checked ${time}`,
  stopped: 'Stopped before its end',
  states: { ok: 'OK', warning: 'Warning', problem: 'Problem', unknown: 'Unknown' } satisfies Record<
    LineState,
    string
  >,
  counts: {
    ok: (count: number) => `${count} OK`,
    warning: (count: number) => (count === 1 ? '1 warning' : `${count} warnings`),
    problem: (count: number) => (count === 1 ? '1 problem' : `${count} problems`),
    unknown: (count: number) => `${count} unknown`,
  } satisfies Record<LineState, (count: number) => string>,
  groups: {
    card: 'Network card and link',
    machine: 'This machine',
    way: 'The way through the network',
    finding: 'Who finds whom',
    disk: 'Disk',
  } satisfies Record<PreflightGroup, string>,
  notYet: 'not checked yet',
  now: 'being checked',
  next: 'to come',
  notLookedAt: 'not checked',
  command: 'Command',
  commandHelp: 'Whiteline never runs this command. Check first that it fits this system.',
} as const;
