import { hostname } from 'node:os';
import { derivedContext } from '../../engine/experiment/derived-context';
import type { Capability, ContextWith, Experiment } from '../../engine/experiment/experiment';
import { measureRow } from '../../engine/experiment/held-row';
import { moveEnds } from '../../engine/experiment/on-machines';
import { chooseSource } from '../../engine/streams/sources/source-choice';
import { ignoreDeath } from '../../engine/streams/stream-hosts';
import type { ClosedRow } from '../../facts/row';
import { throwAll } from '../../protocol/all-wrong';
import { badInput, problemText, toProblem, type WhitelineError } from '../../protocol/errors';
import type { SourceSettings } from '../../protocol/source-spec';
import { type EndPlaces, thisMachine } from '../../protocol/stream-parameters';
import {
  type MatrixParameters,
  machinesIn,
  matrixDeclaration,
  type matrixParameters,
  pairSeconds,
} from './declaration';
import { GoneMachines } from './gone-machines';
import { linkOf, linkParametersOf, noLink, type PairLink, withLink } from './pair-link';
import { machineText, notMeasured, type Pair, pairRow, pairsOf, pairText, unmeasuredRow } from './pair-row';
import { matrixVerdict } from './verdict';

/** It has a link measured with its own context, which therefore has all that experiments may need. */
type Context = ContextWith<Capability>;

export const matrix: Experiment<typeof matrixParameters, ClosedRow, Capability> = {
  declaration: matrixDeclaration,
  needs: ({ link }) => ['streams', 'machines', ...(link ? ofLink : [])],
  requires: () => [],
  async check(parameters, host) {
    const machines = machinesIn(parameters.on);
    const wrong: WhitelineError[] = [];
    if (machines.length < 2) {
      const remedy = `Name for example render-1,display-1 or render-1,${thisMachine}; whiteline fleet matrix takes all that are connected`;
      wrong.push(
        badInput('on', 'at least 2 machines', parameters.on === '' ? 'none' : parameters.on, remedy),
      );
    }
    if (machines.includes(undefined) && machines.includes(hostname())) {
      const remedy = 'Leave one of them out, or invite that agent by another name';
      const twice = `${thisMachine} and ${hostname()}, which is its name too`;
      wrong.push(badInput('on', 'each machine once', twice, remedy));
    }
    if (!parameters.link && parameters.leastMbps !== undefined)
      wrong.push(
        badInput('leastMbps', 'a matrix with its links', parameters.leastMbps, 'Leave one of the two out'),
      );
    throwAll(wrong);
    const { environment: source } = await chooseSource(sourceOf(parameters), host);
    const names = machines.map(machineText).join(', ');
    return {
      subject: `one stream of ${parameters.format} between each two of ${names}`,
      environment: { topology: `from each to each of: ${names}`, source },
    };
  },
  run: (parameters, context) => new MatrixRun(parameters, context).rows(),
  verdict: (rows) => matrixVerdict(rows),
};

const ofLink = ['machine', 'tools', 'experiments'] as const;

function sourceOf({ format }: MatrixParameters): SourceSettings {
  return { source: 'white-line', format, pixelFormat: 'uyvy' };
}

/** One run over all pairs, one after the other. */
class MatrixRun {
  private readonly gone: GoneMachines;
  private begun = 0;

  constructor(
    private readonly parameters: MatrixParameters,
    private readonly context: Context,
  ) {
    this.gone = new GoneMachines(context.streams.set);
  }

  async *rows(): AsyncGenerator<ClosedRow> {
    const { parameters, context } = this;
    const machines = machinesIn(parameters.on);
    // Nothing starts before all of them are ours.
    for (const name of machines) if (name !== undefined) await context.machines.take('on', name);
    const pairs = pairsOf(machines);
    try {
      for (const [index, pair] of pairs.entries()) {
        if (context.signal.aborted) return;
        const skipped = this.gone.reasonFor(pair);
        if (!skipped) this.report(pair, pairs.slice(index));
        const row = skipped
          ? unmeasuredRow(pair, index, context.isoNow(), skipped)
          : await this.measured(pair, index);
        if (row) yield row;
      }
    } finally {
      await this.end().finally(() => context.streams.set.restart());
    }
  }

  /** The row of a pair, whether or not it could be measured; null: it was stopped before there was anything of it. */
  private async measured(pair: Pair, index: number): Promise<ClosedRow | null> {
    const { context, gone } = this;
    const from = context.isoNow();
    try {
      await this.end();
      const link = await this.linked(pair);
      const row = context.signal.aborted ? null : await this.streamed(pair, index, link);
      if (row || context.signal.aborted) return row;
      return unmeasuredRow(pair, index, context.isoNow(), notMeasured('its row was too short'));
    } catch (error) {
      const problem = toProblem(error);
      // What the operator stopped is not missing.
      if (context.signal.aborted && problem.code === 'ABORTED') throw error;
      const why = gone.whyNot(problem, pair);
      context.noteEvent('problem', `${pairText(pair)}: ${why}`);
      return { ...unmeasuredRow(pair, index, context.isoNow(), notMeasured(why)), from };
    } finally {
      gone.look();
    }
  }

  /** Where it cannot be measured, the stream is measured all the same: the row says why. */
  private async linked(pair: Pair): Promise<PairLink> {
    const { parameters, context } = this;
    if (!parameters.link) return noLink('the run leaves the links out');
    // The steps of the link are not steps of this run.
    const quiet = derivedContext(context, { progress: () => undefined });
    const rows: ClosedRow[] = [];
    try {
      for await (const row of context.experiments.rowsOf('link', linkParametersOf(pair), quiet))
        rows.push(row);
      return linkOf(rows);
    } catch (error) {
      const problem = toProblem(error);
      if (context.signal.aborted && problem.code === 'ABORTED') throw error;
      return noLink(problemText(problem));
    }
  }

  private async streamed(pair: Pair, index: number, link: PairLink): Promise<ClosedRow | null> {
    const { parameters, context } = this;
    const { set } = context.streams;
    await moveEnds(set, placesOf(pair), { keepsMachines: true });
    await set.openSource(sourceOf(parameters), { signal: context.signal });
    if (context.signal.aborted) return null;
    await set.addStream(parameters.name);
    const measured = context.signal.aborted ? null : await measureRow(context, index, parameters);
    // A machine that is gone is found by then.
    await set.recovery;
    return measured && withLink(pairRow(pair, measured.row), link, parameters.leastMbps);
  }

  /** The stream of a pair ends before the next pair begins; what is gone with its machine has ended. */
  private async end(): Promise<void> {
    const { set } = this.context.streams;
    await set.removeAll().catch(ignoreDeath);
    await set.closeSource().catch(ignoreDeath);
  }

  /** Pairs of a machine that is gone take no time, and are no steps. */
  private report(pair: Pair, from: readonly Pair[]): void {
    const phaseSeconds = pairSeconds(this.parameters);
    const left = from.filter((one) => !this.gone.reasonFor(one)).length;
    this.begun += 1;
    this.context.progress({
      ...{
        phase: `measuring ${pairText(pair)}`,
        step: this.begun,
        steps: this.begun + left - 1,
        phaseSeconds,
        phaseElapsedSeconds: 0,
      },
      remainingSeconds: left * phaseSeconds,
    });
  }
}

function placesOf({ from, to }: Pair): EndPlaces {
  return { sendOn: from, receiveOn: to ?? thisMachine };
}
