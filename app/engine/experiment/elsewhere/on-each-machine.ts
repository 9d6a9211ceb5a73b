import { hostname } from 'node:os';
import { wordsOf } from '../../../facts/reason-words';
import type { ClosedRow } from '../../../facts/row';
import { worseVerdict } from '../../../facts/verdict';
import { toProblem } from '../../../protocol/errors';
import {
  type MachineName,
  machinesNamed,
  receiverNames,
  thisMachine,
} from '../../../protocol/stream-parameters';
import type { Thresholds } from '../../../protocol/thresholds';
import { refuseNamesake } from '../../machines/namesake';
import { oneMachine } from '../../sessions/environment';
import { derivedContext } from '../derived-context';
import type { Capability, Checked, ContextWith, Experiment, RunVerdict } from '../experiment';
import { believedRow } from './believed-row';
import { parametersElsewhere, refuseOwnPlaces } from './elsewhere-parameters';
import { isMissing, missingRow, rowOn, withoutMachine } from './machine-row';
import { MachineRun } from './machine-run';
import { merged } from './merged';
import { MergedProgress } from './merged-progress';
import { longestSilenceSeconds } from './patience';

type Parameters = Record<string, unknown>;
type Context = ContextWith<Capability>;

/**
 * An experiment of one machine, which may be run on several at the same time (`on`): its rows stand in one table, and the worst of its
 * machines is the verdict. Without `on`, and where its declaration does not have it, it is the experiment itself.
 */
export function onEachMachine(experiment: Experiment): Experiment {
  const { declaration } = experiment;
  if (!declaration.elsewhere) return experiment;
  return {
    declaration,
    needs: (parameters) => {
      const names = namesIn(parameters);
      if (!names) return experiment.needs(parameters);
      return ['machines', ...(isHere(names) ? experiment.needs(ownOf(parameters)) : [])];
    },
    requires: (parameters) => {
      const names = namesIn(parameters);
      return !names || isHere(names) ? experiment.requires(ownOf(parameters)) : [];
    },
    check: async (parameters, host) => {
      const names = namesIn(parameters);
      if (names) refuseNamesake('on', names);
      if (names && !isHere(names)) {
        refuseOwnPlaces(declaration, parameters);
        return checkedOn(names, null);
      }
      const here = await experiment.check(ownOf(parameters), host);
      return names ? checkedOn(names, here) : here;
    },
    machineChecks: experiment.machineChecks?.map(({ fields, ask }) => ({
      fields,
      ask: async ({ on, ...typed }, host) => {
        const names = receiverNames(typeof on === 'string' ? on : null);
        if (names.length === 0 || names.includes(thisMachine)) await ask(typed, host);
      },
    })),
    run: (parameters, context) => {
      const names = namesIn(parameters);
      return names
        ? new SideBySide(experiment, names, parameters, context).rows()
        : experiment.run(parameters, context);
    },
    verdict: (rows, parameters, thresholds) => {
      const names = namesIn(parameters);
      return names
        ? verdictOf(experiment, names, { rows, parameters: ownOf(parameters), thresholds })
        : experiment.verdict(rows, parameters, thresholds);
    },
  };
}

/** Undefined: this machine, and no other one. */
function namesIn({ on }: Parameters): readonly MachineName[] | undefined {
  return typeof on === 'string' ? machinesNamed(on) : undefined;
}

function isHere(names: readonly MachineName[]): boolean {
  return names.includes(undefined);
}

function ownOf(parameters: Parameters): Parameters {
  return Object.fromEntries(Object.entries(parameters).filter(([key]) => key !== 'on'));
}

function checkedOn(names: readonly MachineName[], here: Checked | null): Checked {
  const all = names.map((name) => name ?? thisMachine).join(', ');
  return {
    subject: here ? `on ${all}; here: ${here.subject}` : `on ${all}`,
    environment: { ...here?.environment, topology: `${oneMachine}, on each of: ${all}` },
  };
}

/** One run of it on several machines. */
class SideBySide {
  private readonly abort = new AbortController();
  private readonly progress: MergedProgress;
  private index = 0;

  constructor(
    private readonly experiment: Experiment,
    private readonly names: readonly MachineName[],
    private readonly parameters: Parameters,
    private readonly context: Context,
  ) {
    this.progress = new MergedProgress((progress) => context.progress(progress));
  }

  async *rows(): AsyncGenerator<ClosedRow> {
    const { context, abort } = this;
    const stop = (): void => abort.abort();
    if (context.signal.aborted) stop();
    context.signal.addEventListener('abort', stop, { once: true });
    const runs = new Map<string, MachineRun>();
    try {
      await this.prepare(runs);
      for await (const row of merged(this.names.map((name) => this.rowsOf(name, runs))))
        yield { ...row, index: this.index++ };
    } finally {
      context.signal.removeEventListener('abort', stop);
      stop();
      for (const run of runs.values()) run.end();
    }
  }

  /** Nothing starts on any machine before all of them have what it takes. @throws WhitelineError of the first in order that has not */
  private async prepare(runs: Map<string, MachineRun>): Promise<void> {
    const { declaration } = this.experiment;
    const { clock, machines, noteEvent } = this.context;
    const own = ownOf(this.parameters);
    const asked = {
      experiment: declaration.id,
      parameters: parametersElsewhere(declaration, this.parameters),
      silenceSeconds: longestSilenceSeconds(
        declaration.expectedSeconds(this.parameters),
        declaration.elsewhere?.silentSeconds?.(this.parameters),
      ),
      leastSeconds: (row: ClosedRow) => this.experiment.leastSeconds?.(row, own) ?? 0,
      lacks: (rows: readonly ClosedRow[]) => this.experiment.lacks?.(rows, own) ?? null,
    };
    const others = this.names.flatMap((name) => name ?? []);
    for (const name of others) {
      const machine = await machines.take('on', name);
      runs.set(name, new MachineRun(machine, asked, clock));
    }
    const prepared = others.map(async (name) => ({ name, ...(await runs.get(name)?.prepared()) }));
    await Promise.allSettled(prepared);
    for (const { name, subject = '', environment } of await Promise.all(prepared))
      noteEvent('machine-prepared', `${name}: ${subject}`, { machine: name, environment });
  }

  private async *rowsOf(name: MachineName, runs: ReadonlyMap<string, MachineRun>): AsyncGenerator<ClosedRow> {
    const { context, progress } = this;
    const machine = name ?? thisMachine;
    const host = name ?? hostname();
    try {
      for await (const row of this.measured(name, runs)) {
        const believed =
          name === undefined ? row : believedRow(this.experiment, name, row, context.thresholds);
        yield rowOn(machine, host, believed);
      }
    } catch (error) {
      const { code, message } = toProblem(error);
      // What the operator stopped is not missing.
      if (code === 'ABORTED' && context.signal.aborted) return;
      context.noteEvent('problem', name === undefined ? `${machine}: ${message}` : message, { machine });
      const why = message.startsWith(`${machine}: `) ? message.slice(machine.length + 2) : message;
      yield missingRow(machine, host, context.isoNow(), why);
    } finally {
      progress.end(machine);
    }
  }

  private measured(name: MachineName, runs: ReadonlyMap<string, MachineRun>): AsyncGenerator<ClosedRow> {
    const { context, experiment, parameters, abort } = this;
    const progress = this.progress.of(name ?? thisMachine);
    if (name === undefined) {
      const own = derivedContext(context, { progress, signal: abort.signal });
      return experiment.run(ownOf(parameters), own);
    }
    const run = runs.get(name);
    if (!run) throw new Error(`${name} was not prepared`);
    const { clock, thresholds } = context;
    return run.measure({
      ...{ clock, thresholds, progress, signal: abort.signal },
      isoNow: () => context.isoNow(),
      noteEvent: (...event) => context.noteEvent(...event),
    });
  }
}

interface Judged {
  rows: readonly ClosedRow[];
  parameters: Parameters;
  thresholds: Thresholds;
}

/** How many machines a sentence describes; of the others it gives the number. */
const mostWorded = 4;

/** The worst of the machines, each by its own rows; those that decide say why. */
function verdictOf(
  experiment: Experiment,
  names: readonly MachineName[],
  { rows, parameters, thresholds }: Judged,
): RunVerdict {
  const judged = names.map((name) => {
    const machine = name ?? thisMachine;
    const own = rows.filter(({ step }) => step.machine === machine);
    return { machine, ...judgedAlone(experiment, own, parameters, thresholds) };
  });
  const verdict = judged.map((one) => one.verdict).reduce(worseVerdict);
  const deciding = judged.filter((one) => one.verdict === verdict);
  const worded = deciding.slice(0, mostWorded).map(({ machine, reason }) => `${machine}: ${reason}`);
  const more = deciding.length - worded.length;
  const others = judged.filter((one) => one.verdict !== verdict);
  return {
    verdict,
    reason: [
      ...worded,
      ...(more > 0 ? [`${more} more ${more === 1 ? 'machine is' : 'machines are'} ${verdict}`] : []),
      ...others.map((one) => `${one.machine} is ${one.verdict}`),
    ].join('; '),
  };
}

/** One machine, or one pair of them, by its own rows; what is missing of it makes it INVALID. */
export function judgedAlone(
  experiment: Pick<Experiment, 'verdict'>,
  rows: readonly ClosedRow[],
  parameters: Parameters,
  thresholds: Thresholds,
): RunVerdict {
  const missing = rows.find(isMissing);
  const measured = rows.filter((row) => row !== missing).map(withoutMachine);
  const judged = measured.length > 0 ? experiment.verdict(measured, parameters, thresholds) : null;
  if (!missing) return judged ?? { verdict: 'INVALID', reason: 'nothing was measured' };
  const verdict = worseVerdict('INVALID', judged?.verdict ?? 'INVALID');
  const reason = wordsOf(missing.reason);
  if (!judged || judged.verdict !== verdict) return { verdict, reason };
  // If the run proves nothing, what it lacks comes before everything that was measured.
  const reasons = verdict === 'INVALID' ? [reason, judged.reason] : [judged.reason, reason];
  return { verdict, reason: reasons.join('; ') };
}
