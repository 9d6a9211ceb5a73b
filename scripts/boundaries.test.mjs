import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { boundaryViolations } from './boundaries.mjs';

let folder;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'whiteline-boundaries-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function plant(file, text) {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

test('lets through what the architecture allows', () => {
  plant(
    'app/cli/main.ts',
    "import { run } from '../engine/run.js';\nimport type { Row } from '../protocol/row.js';\n",
  );
  plant('app/facts/reason-words.ts', "import { x } from '../experiments/facts';\n");
  plant('app/experiments/quiet/metrics.ts', "import type { Metric } from '../../facts/metrics/metric';\n");
  plant(
    'app/experiments/quiet/declaration.ts',
    "import { x } from './metrics';\nimport '../../protocol/errors';\n",
  );
  plant('app/experiments/quiet/quiet.ts', "import { x } from './declaration';\nimport '../../engine/run';\n");
  plant('app/engine/offers.ts', "import { x } from '../experiments/runs';\n");
  plant('renderer/table/table.tsx', "import { x } from '../../app/experiments/declarations';\n");
  plant('app/streamhost/host.ts', "import type * as native from '../../native/addon/index.js';\n");
  plant('app/main/window.ts', "import { app } from 'electron';\nimport path from 'node:path';\n");
  plant('native/addon/handle.cc', '#include <string>\n#include <napi.h>\n');
  plant('native/addon/sender.cc', '#include "native/transports/ndi/ndi_transport.h"\n');
  plant('native/addon/shared/js_error.h', '#include <napi.h>\n#include "native/base/platform/error.h"\n');
  plant(
    'native/addon/content/writer.h',
    '#include "native/addon/shared/js_error.h"\n#include "native/content/generator.h"\n',
  );
  plant('native/base/pacing/clock.cc', '#include <unistd.h>\n#include "native/base/pacing/clock.h"\n');
  plant('native/content/black.cc', '#include "native/media/pattern/picture.h"\n');
  plant('native/helpers/pacer/pacer.cc', '#include "native/base/pacing/clock.h"\n');
  plant('native/media/hap/movie.cc', '#include "native/base/platform/error.h"\n');
  plant(
    'native/transports/ndi/sender.cc',
    '#include <Processing.NDI.Lib.h>\n#include "native/media/pipeline/video_output.h"\n',
  );
  expect(boundaryViolations(folder)).toEqual([]);
});

test.each([
  ['app/protocol/row.ts', "import { x } from '../engine/run';"],
  ['app/engine/run.ts', "export { x } from '../streamhost/host';"],
  ['app/engine/run.ts', "import { Agents } from '../fleet/console/agents';"],
  ['app/fleet/agent/agent.ts', "import { Host } from '../../streamhost/host';"],
  ['app/engine/run.ts', "import { app } from 'electron';"],
  ['app/engine/run.ts', "const { app } = require('electron');"],
  ['app/preload/preload.ts', "const engine = await import('../engine/run.js');"],
  ['native/addon/index.d.ts', "type Row = import('../../app/engine/row').Row;"],
  ['native/addon/handle.cc', '#include <Processing.NDI.Lib.h>'],
  ['native/addon/handle.cc', '#include "native/tests/memory_transport.h"'],
  ['native/addon/handle.cc', '#include "native/content/generator.h"'],
  ['native/addon/handle.cc', '#include "native/addon/content/writer.h"'],
  ['native/addon/content/writer.h', '#include "native/transports/ndi/sender.h"'],
  ['native/addon/shared/js_error.h', '#include "native/media/records/records.h"'],
  ['native/base/pacing/clock.h', '#include "native/addon/handle.h"'],
  ['native/base/pacing/clock.h', '#include "native/media/records/records.h"'],
  ['native/base/pacing/clock.h', '#include "time_units.h"'],
  ['native/base/platform/heap.cc', '#include <napi.h>'],
  ['native/base/platform/heap.cc', '#include <fastdds/dds/log/Log.hpp>'],
  ['native/content/black.cc', '#include "native/transports/ndi/sender.h"'],
  ['native/helpers/pacer/pacer.cc', '#include "native/media/hap/mov_box.h"'],
  ['native/media/pipeline/source.cc', '  #  include "native/content/generator.h"'],
  ['native/media/pipeline/sender.cc', '#include "native/transports/ndi/sender.h"'],
  ['native/media/pipeline/sender.cc', '#include <native/transports/ndi/sender.h>'],
  ['native/transports/ndi/sender.cc', '#include "native/content/generator.h"'],
  ['app/facts/reason-words.ts', "import { x } from '../experiments/declarations';"],
  ['app/protocol/plan.ts', "import { x } from '../experiments/declarations';"],
  ['app/engine/run.ts', "import { x } from '../experiments/quiet/quiet';"],
  ['app/experiments/quiet/metrics.ts', "import { x } from '../../protocol/errors';"],
  ['app/experiments/quiet/declaration.ts', "import { x } from '../../engine/run';"],
  ['app/experiments/quiet/quiet.ts', "import { x } from '../link/metrics';"],
  ['app/experiments/quiet/quiet.ts', "import { x } from '../runs';"],
  ['renderer/table/table.tsx', "import { x } from '../../app/experiments/runs';"],
  ['renderer/strip/strip.tsx', "import '../../app/main/window';"],
  ['renderer/strip/strip.tsx', "import text from '../../scripts/build.mjs';"],
])('finds the import planted in %s: %s', (file, text) => {
  plant(file, `const one = 1;\n${text}\n`);
  expect(boundaryViolations(folder)).toEqual([expect.objectContaining({ file, line: 2 })]);
});

test.each([
  ['renderer/table/row.tsx', "if (run.experiment === 'storage') show();"],
  ['app/cli/run.ts', "import { x } from '../experiments/storage/declaration';"],
])('finds the experiment named in %s: %s', (file, text) => {
  plant('app/experiments/storage/declaration.ts', "export const id = 'storage';");
  plant('renderer/preflight/look.ts', "export const id = 'storage';");
  plant(file, `const one = 1;\n${text}\n`);
  expect(boundaryViolations(folder)).toEqual([
    expect.objectContaining({ file, line: 2, specifier: 'storage' }),
  ]);
});

test.each([
  ['app/engine/runs/watch-run.ts', 'const startMs = Date.now();', 'Date.now'],
  ['app/engine/runs/watch-run.ts', 'new WatchRun(Date.now);', 'Date.now'],
  ['app/engine/runs/watch-run.ts', 'const at = new Date().toISOString();', 'new Date()'],
  ['app/engine/runs/watch-run.ts', 'const nowMs = performance.now();', 'performance.now'],
  ['app/engine/runs/watch-run.ts', 'const nowNs = process.hrtime.bigint();', 'hrtime'],
  ['app/engine/runs/watch-run.ts', 'const seconds = os.uptime();', 'uptime'],
  ['app/engine/runs/watch-run.ts', 'const timer = setInterval(look, 250);', 'setInterval'],
  [
    'app/engine/runs/watch-run.ts',
    "import { setTimeout as sleep } from 'node:timers/promises';",
    'setTimeout',
  ],
  ['app/engine/runs/watch-run.ts', "import * as timers from 'node:timers/promises';", 'node:timers/promises'],
  ['app/engine/runs/watch-run.ts', 'const signal = AbortSignal.timeout(1000);', 'AbortSignal.timeout'],
  ['app/engine/runs/watch-run.ts', "import { machineClock } from '../clock';", 'machineClock'],
  ['app/protocol/beat.ts', 'const timer = setTimeout(act, 250);', 'setTimeout'],
  ['app/nmos/registry/store.ts', 'const heardMs = Date.now();', 'Date.now'],
  ['app/streamhost/jobs.ts', 'const timer = setTimeout(resolve, 2);', 'setTimeout'],
  ['app/main/archive-supervisor.ts', 'const nowMs = performance.now();', 'performance.now'],
  ['app/archive/deleted-runs.ts', 'const at = new Date();', 'new Date()'],
  ['app/rpc/requests.ts', 'const timer = setTimeout(fail, 1000);', 'setTimeout'],
  ['app/cli/watch.ts', 'const timer = setInterval(look, 250);', 'setInterval'],
])('finds the time that %s takes from the machine: %s', (file, text, specifier) => {
  plant(file, `const one = 1;\n${text}\n`);
  expect(boundaryViolations(folder)[0]).toEqual({
    ...{ file, line: 2, specifier },
    reason: expect.stringContaining('takes a Clock of app/protocol/clock.ts'),
  });
});

test.each([
  [
    'app/experiments/quiet/quiet.ts',
    "import { findTool, runTool } from '../../engine/tools/run-tool';",
    'runTool',
  ],
  [
    'app/experiments/quiet/quiet.ts',
    "import { Helpers as H } from '../../engine/capabilities/helpers';",
    'Helpers',
  ],
])('finds the capability that %s opens by itself: %s', (file, text, specifier) => {
  plant(file, `const one = 1;\n${text}\n`);
  expect(boundaryViolations(folder)).toEqual([expect.objectContaining({ file, line: 2, specifier })]);
});

test('lets an experiment name the types of what it is given, and look at tools before a run', () => {
  const types = "import { findTool, type RunTool } from '../../engine/tools/run-tool';\n";
  plant(
    'app/experiments/quiet/quiet.ts',
    `${types}import type { RowMeter } from '../../engine/streams/meter';\n`,
  );
  plant('app/experiments/link/link.ts', "import { runTool } from '../../engine/tools/run-tool';\n");
  expect(boundaryViolations(folder)).toEqual([]);
});

test.each([
  ['of its tests', 'app/engine/runs/watch-run.test.ts'],
  ['of a guard on a real process', 'app/engine/streams/patience.ts'],
  ['of the window', 'renderer/strip/strip.tsx'],
])('lets through the timer %s', (_, file) => {
  plant(file, 'setTimeout(act, Date.now() % 1000);\n');
  expect(boundaryViolations(folder)).toEqual([]);
});

test('lets a command give the machine’s clock to what it starts', () => {
  plant('app/cli/watch.ts', "import { machineClock } from '../engine/clock';\n");
  expect(boundaryViolations(folder)).toEqual([]);
});

test('a fixture takes what it likes, and only tests take it', () => {
  plant('app/experiments/quiet/rows.fixture.ts', "import { x } from '../../testing/rows';\n");
  plant('app/experiments/quiet/rows.test.ts', "import { x } from './rows.fixture';\n");
  expect(boundaryViolations(folder)).toEqual([]);
  plant('app/experiments/quiet/rows.ts', "import { x } from './rows.fixture';\n");
  expect(boundaryViolations(folder)).toMatchObject([
    { file: 'app/experiments/quiet/rows.ts', line: 1, specifier: './rows.fixture' },
  ]);
});
