// @module-tag machine

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEvents, readRun } from '../../app/engine/sessions/read-run';
import { matrixDeclaration } from '../../app/experiments/matrix/declaration';
import { wordsOf } from '../../app/facts/reason-words';
import { numberOf } from '../../app/facts/row-figures';
import { worstFirst } from '../../app/facts/worst-first';
import { fleetScene } from './fleet-scene';

// Five machines at one switch, each with network, host name and clock of its own. Real nats-server, real NDI.

const scene = fleetScene({
  'render-1': [],
  'render-2': [],
  'display-1': [],
  'display-2': [],
  'display-3': [],
});

test('of twenty pairs the strangled one stands first, with its cause', async () => {
  scene.site.strangle('render-2', 'display-3', '3mbit');
  const to = scene.out('matrix');
  // The machines share the processors of this one: what one of them takes is another program's to the others.
  const thresholds = join(scene.folder, 'shared-processors.yaml');
  writeFileSync(thresholds, 'maxOthersPercent: 100\n');
  const short = ['--format', '640x360@30', '--hold', '2s', '--warm-up', '500ms', '--no-link'];
  const words = ['fleet', 'matrix', ...short, '--thresholds', thresholds, '--out', to];
  const { output, errors } = await scene.whiteline(...words).ended;
  const failed = readEvents(to).filter(({ kind }) => kind === 'problem');
  expect(failed.map(({ text }) => text)).toEqual([]);
  expect(errors).toContain('Machines: display-1, display-2, display-3, render-1, render-2');
  const { rows, verdict, reason } = readRun(to);
  expect(rows).toHaveLength(20);
  const [first, ...others] = worstFirst(rows, matrixDeclaration.heatMap ?? { lostPercent: '', rateMbps: '' });
  expect(first?.label).toBe('render-2 → display-3');
  expect(numberOf(first ?? { figures: {} }, 'matrix.lostPercent')).toBeGreaterThan(10);
  expect(others.map((row) => numberOf(row, 'matrix.lostPercent'))).toEqual(others.map(() => 0));
  expect([verdict, first?.verdict], reason).toEqual(['FAIL', 'FAIL']);
  expect(reason).toContain(`render-2 → display-3: ${wordsOf(first?.reason ?? [])}`);
  // The table has it first too.
  expect(output.indexOf('render-2 → display-3')).toBeLessThan(output.indexOf('render-1 → render-2'));
});
