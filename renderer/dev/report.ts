/** The report of a scenario without an engine: /renderer/dev/report.html?scenario=losses. Never part of a build. */

import type { ReportData } from '../../app/protocol/report';
import type { Run } from '../../app/protocol/run';
import { defaultThresholds } from '../../app/protocol/thresholds';
import { reportLoadOf } from './samples';
import { scenarios } from './scenarios';

const scenario = scenarios[new URLSearchParams(location.search).get('scenario') ?? 'table'] ?? {};
const { state, rows = [], marks = [] } = scenario;
const now = Date.now();
const run: Run = {
  schema: 'whiteline-run/2',
  id: '2026-11-21T19-00-00',
  experiment: 'stream-load',
  title: 'stream-load',
  state: 'finished',
  startedAt: '2026-11-21T19:00:00.000Z',
  endedAt: '2026-11-21T19:01:10.000Z',
  parameters: { source: 'white-line', format: '1280x720@60', audio: true },
  command: 'whiteline run stream-load --source white-line --format 1280x720@60',
  thresholds: { ...defaultThresholds },
  environment: { hosts: [{ hostName: 'rack-04', cores: 32 }] },
  rows,
  verdict: state?.run?.verdict ?? null,
  reason: state?.run?.reason ?? '',
};
const data: ReportData = {
  run,
  load: reportLoadOf(scenario, now - 180_000, now),
  marks: marks.map((mark) => ({ ...mark, wallMs: now + mark.wallMs })),
  causes: [],
  leftOut: [],
  notes: [],
  pictures: [],
  picturesLeftOut: [],
};
const page = document.getElementById('whiteline-run');
if (page) page.textContent = JSON.stringify(data);
void import('../report/main');
