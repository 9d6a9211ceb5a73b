import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readManifest } from '../../engine/content/manifest';
import type { ContextWith, Experiment, Requirement } from '../../engine/experiment/experiment';
import { machineCheck } from '../../engine/experiment/machine-check';
import { openTableRow } from '../../engine/experiment/table-row';
import { liesInMemory } from '../../engine/machine/mounts';
import type { Span } from '../../engine/streams/counting/capture-counter';
import { type RunTool, runTool } from '../../engine/tools/run-tool';
import { toolRequirement } from '../../engine/tools/tool-problem';
import type { Fact } from '../../facts/fact';
import type { ClosedRow } from '../../facts/row';
import {
  type StorageOperation,
  type StorageParameters,
  type StorageTest,
  storageDeclaration,
  storageParameters,
  storageTests,
} from './declaration';
import { fioVersion, layOut, passArguments, runPass } from './fio';
import type { FioReport } from './fio-report';
import { checkFolder, type MeasuredFolder, realFolder } from './folder';
import { hapQNeed } from './hap-q';
import { leastStorageSeconds, storageLacks } from './least-seconds';
import { type Demand, type FirstRow, storageRow } from './storage-rows';
import { OwnTestFile } from './test-file';
import { changedProblem, TestFileWatch } from './test-file-watch';
import { storageVerdict } from './verdict';

export const storage: Experiment<typeof storageParameters, ClosedRow, 'tools'> = {
  declaration: storageDeclaration,
  needs: () => ['tools'],
  requires: () => [linuxRequirement, toolRequirement('fio', 'Install it (Debian: apt-get install fio)')],
  machineChecks: [
    machineCheck(storageParameters.pick({ folders: true }), ({ folders }) => folders.map(realFolder)),
  ],
  async check(parameters) {
    const folders = await checkFolders(parameters, runTool);
    const { need } = demandOf(parameters);
    const places = folders.map(
      ({ name, mount }) => `${name} (${mount?.fileSystem ?? 'file system not known'})`,
    );
    const file = `a file of ${parameters.sizeMib} MiB${places.length > 1 ? ' in each' : ''}`;
    return {
      subject: `${places.join(' beside ')}, ${file}`,
      environment: {
        topology: 'this machine and the folders under test',
        ...{ folders, fio: await fioVersion(runTool), hapQ: need },
      },
    };
  },
  run,
  leastSeconds: leastStorageSeconds,
  lacks: storageLacks,
  verdict: storageVerdict,
};

const linuxRequirement: Requirement = {
  name: 'Linux',
  check: async () =>
    process.platform === 'linux'
      ? null
      : 'Storage is measured on Linux alone so far: elsewhere the free space, and the removal of the test file after a kill, are not seen to',
};

async function checkFolders(
  { folders, sizeMib, lineRateMbps }: StorageParameters,
  run: RunTool,
): Promise<MeasuredFolder[]> {
  const checked: MeasuredFolder[] = [];
  for (const folder of folders) checked.push(await checkFolder(folder, sizeMib, lineRateMbps, run));
  return checked;
}

/**
 * One movie is read by one thread that asks for its next frame when it has the last one: that is Q1T1, and the median of
 * it, not the best. Movies side by side read at a greater depth, so this errs on the safe side.
 */
const decidingTests: readonly StorageTest[] = ['SEQ1M-Q1T1', 'SEQ1M-Q8T1'];

function demandOf(parameters: StorageParameters): Demand {
  const { tests, operations, streams } = parameters;
  const reads = operations.includes('read') ? tests : [];
  return {
    need: hapQNeed(parameters, () => readManifest(appFolder())),
    streams,
    decidingTest: decidingTests.find((test) => reads.includes(test)) ?? null,
  };
}

/** The folder above this code in which the content battery lies. */
function appFolder(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'test-content')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

async function* run(parameters: StorageParameters, context: ContextWith<'tools'>): AsyncGenerator<ClosedRow> {
  const storageRun = new StorageRun(parameters, context);
  try {
    for (const folder of await checkFolders(parameters, context.tools.run))
      yield* storageRun.measureFolder(folder);
  } catch (error) {
    if (!context.signal.aborted) throw error;
  }
}

class StorageRun {
  private readonly demand: Demand;
  private readonly steps: { operation: StorageOperation; test: StorageTest }[];
  /** Of the first folder, by operation and test. */
  private readonly firstRows = new Map<string, FirstRow>();
  private next = 0;

  constructor(
    private readonly parameters: StorageParameters,
    private readonly context: ContextWith<'tools'>,
  ) {
    this.demand = demandOf(parameters);
    const tests = storageTests.filter((test) => parameters.tests.includes(test));
    this.steps = parameters.operations.flatMap((operation) => tests.map((test) => ({ operation, test })));
  }

  async *measureFolder(folder: MeasuredFolder): AsyncGenerator<ClosedRow> {
    const { parameters, context } = this;
    const { sizeMib } = parameters;
    const sizeBytes = sizeMib * 1024 * 1024;
    const file = await OwnTestFile.create(folder.path, sizeBytes);
    const watch = new TestFileWatch(file, sizeBytes, folder.mount?.fileSystem);
    try {
      for (const { operation, test } of this.steps) {
        if (watch.needsFilling) {
          this.report(`laying out a file in ${folder.name}`, 0);
          await watch.fill(() => layOut(file, sizeMib, context));
          file.check();
        }
        yield* this.measureTest(folder, { file, watch }, operation, test);
      }
    } finally {
      await file.remove();
    }
  }

  /** A row that was cut short is reported with the passes that it has, before the error that ended it. */
  private async *measureTest(
    folder: MeasuredFolder,
    { file, watch }: { file: OwnTestFile; watch: TestFileWatch },
    operation: StorageOperation,
    test: StorageTest,
  ): AsyncGenerator<ClosedRow> {
    const { parameters, context, demand } = this;
    const { holdSeconds } = parameters;
    this.report(`${folder.name}: ${operation} ${test}`, parameters.repeats * holdSeconds);
    const args = passArguments(test, operation, file, parameters);
    const close = openTableRow(context);
    const passes: FioReport[] = [];
    const times: Span[] = [];
    let changes: Fact[] = [];
    let failure: unknown = null;
    try {
      while (passes.length < parameters.repeats && changes.length === 0) {
        const fromNs = context.clock.monotonicNs();
        passes.push(await runPass(file, args, operation, holdSeconds, context));
        times.push({ fromNs, toNs: context.clock.monotonicNs() });
        changes = await watch.changesBeside(operation);
        file.check();
      }
    } catch (error) {
      changes = await watch.changesBeside(operation);
      // What fio complains of follows from it.
      failure = changes.length > 0 ? changedProblem(changes) : error;
    }
    if (passes.length > 0) {
      const frame = { index: this.next++, ...close(passes.length * holdSeconds, times) };
      const key = `${operation} ${test}`;
      const measured = {
        ...{ folder, operation, test, passes, wantedPasses: parameters.repeats },
        direct: file.direct && !liesInMemory(folder.mount),
        ...{ args, changes, first: this.firstRows.get(key) ?? null },
      };
      const row = storageRow(frame, measured, demand);
      if (!measured.first) this.firstRows.set(key, row);
      yield row;
    }
    if (failure) throw failure;
  }

  private report(phase: string, phaseSeconds: number): void {
    const { folders, repeats, holdSeconds } = this.parameters;
    const steps = this.steps.length * folders.length;
    this.context.progress({
      phase,
      step: Math.min(this.next + 1, steps),
      steps,
      phaseSeconds,
      phaseElapsedSeconds: 0,
      remainingSeconds: (steps - this.next) * repeats * holdSeconds,
    });
  }
}
