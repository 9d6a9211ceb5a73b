import { hostname } from 'node:os';
import { derivedContext } from '../../engine/experiment/derived-context';
import { believedRow } from '../../engine/experiment/elsewhere/believed-row';
import { parametersElsewhere } from '../../engine/experiment/elsewhere/elsewhere-parameters';
import { missingRow, rowOn, withoutMachine } from '../../engine/experiment/elsewhere/machine-row';
import { MachineRun } from '../../engine/experiment/elsewhere/machine-run';
import { longestSilenceSeconds } from '../../engine/experiment/elsewhere/patience';
import type { ContextWith } from '../../engine/experiment/experiment';
import { shareLoopback } from '../../engine/machines/machine-side';
import { OwnLinkEnd } from '../../engine/machines/own-link-end';
import type { Fact } from '../../facts/fact';
import { guardCodes } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { badInput, toProblem, WhitelineError } from '../../protocol/errors';
import type { MachineName } from '../../protocol/stream-parameters';
import { bestLinkVerdict, leastLinkSeconds } from './best-verdict';
import { type LinkParameters, linkDeclaration, mostStreams } from './declaration';
import { findEndpoint } from './endpoint';
import { heldSteps } from './held-rate';
import { LinkRun } from './link-run';
import { judgedWithOtherEnd, OtherEndWatch } from './other-end';
import type { Pair } from './pair';
import {
  endHere,
  endOn,
  iperfVersions,
  type PairEnd,
  type PairVersions,
  type Reached,
  reachedServer,
} from './pair-ends';
import { rowPlans } from './plan';

export type PairContext = ContextWith<'machine' | 'machines' | 'tools'>;

/**
 * The rows of the link between two machines. A machine that leaves gives a row that is INVALID by its name, as the last one.
 * @throws WhitelineError before the first row, if a machine is not there, lacks iperf3, or does not reach the other one
 */
export async function* pairRows(
  pair: Pair,
  parameters: LinkParameters,
  context: PairContext,
): AsyncGenerator<ClosedRow> {
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  if (context.signal.aborted) stop();
  context.signal.addEventListener('abort', stop, { once: true });
  const own = derivedContext(context, { signal: abort.signal });
  try {
    const { tools, clock } = context;
    const here = endHere(new OwnLinkEnd(tools.run, clock, abort.signal));
    const taken = async (field: 'sendOn' | 'receiveOn', name: MachineName): Promise<PairEnd> =>
      name === undefined ? here : endOn(await context.machines.take(field, name));
    const caller = await taken('sendOn', pair.sendOn);
    const server = await taken('receiveOn', pair.receiveOn);
    refuseNamesake(caller, server);
    // Nothing is started before both have what it takes.
    const versions = await iperfVersions(caller, server);
    const sharesLoopback = shareLoopback(caller.machine ?? undefined, server.machine ?? undefined);
    const reached = await reachedServer(caller, server, sharesLoopback);
    try {
      reached.server.onLost(stop);
      yield* new PairRun({ caller, server, reached, versions }, parameters, own, context.signal).rows();
    } finally {
      await reached.server.stop();
    }
  } finally {
    context.signal.removeEventListener('abort', stop);
    stop();
  }
}

/** Machines of a row are told apart by their names. @throws WhitelineError BAD_INPUT */
function refuseNamesake(caller: PairEnd, server: PairEnd): void {
  if (caller.host !== server.host) return;
  throw badInput(
    'receiveOn',
    'a machine of another name',
    `${caller.name} and ${hostname()}, which is its name too`,
    'Invite that agent by another name',
  );
}

interface Ends {
  caller: PairEnd;
  server: PairEnd;
  reached: Reached;
  versions: PairVersions;
}

class PairRun {
  private readonly other: OtherEndWatch;
  private whyLost: string | null = null;
  private index = 0;

  /**
   * @param stopped the operator ends the run
   * @param context whose signal also aborts where the server's machine is gone
   */
  constructor(
    private readonly ends: Ends,
    private readonly parameters: LinkParameters,
    private readonly context: PairContext,
    private readonly stopped: AbortSignal,
  ) {
    const { server, reached } = ends;
    this.other = new OtherEndWatch(server.name, server.machine, context);
    reached.server.onLost((words) => {
      this.whyLost = words;
    });
  }

  async *rows(): AsyncGenerator<ClosedRow> {
    this.noteEnds();
    try {
      for await (const row of this.measured()) yield await this.judged(row);
      this.requireAll();
    } catch (error) {
      // What the operator stopped is not missing.
      if (!this.stopped.aborted) yield await this.missing(error);
    }
  }

  private noteEnds(): void {
    const { caller, server, reached, versions } = this.ends;
    const { address } = reached;
    const { port } = reached.server;
    this.context.noteEvent(
      'machine-prepared',
      `${caller.name} calls the iperf3 server of ${server.name} at ${address}, port ${port}`,
      { machine: server.name, environment: { address, port, iperf3: versions } },
    );
  }

  private async *measured(): AsyncGenerator<ClosedRow> {
    const { ends, parameters, context } = this;
    const { caller, reached, versions } = ends;
    const host = reached.address;
    const { port } = reached.server;
    if (!caller.machine) {
      const endpoint = await findEndpoint({ ...parameters, host, port }, context.tools.run);
      const server = { host, port, callerVersion: versions.caller };
      yield* new LinkRun(parameters, context, endpoint, server).rows();
      return;
    }
    const asked = {
      experiment: linkDeclaration.id,
      parameters: parametersElsewhere(linkDeclaration, { ...parameters, host, port }),
      silenceSeconds: longestSilenceSeconds(mostSeconds(parameters)),
      leastSeconds: (row: ClosedRow) => leastLinkSeconds(row, parameters),
    };
    const run = new MachineRun(caller.machine, asked, context.clock);
    try {
      const { subject, environment } = await run.prepared();
      context.noteEvent('machine-prepared', `${caller.name}: ${subject}`, {
        machine: caller.name,
        environment,
      });
      for await (const row of run.measure(context)) yield this.believed(row, caller.name);
    } finally {
      run.end();
    }
  }

  private believed(row: ClosedRow, machine: string): ClosedRow {
    const { parameters, context } = this;
    const bestVerdict = (one: ClosedRow) => bestLinkVerdict(one, parameters);
    return withoutMachine(
      rowOn(
        machine,
        machine,
        believedRow({ declaration: linkDeclaration, bestVerdict }, machine, row, context.thresholds),
      ),
    );
  }

  /** With the names of both machines, and what is known of the one that did not measure it. */
  private async judged(row: ClosedRow): Promise<ClosedRow> {
    const { caller, server, reached, versions } = this.ends;
    const { thresholds } = this.context;
    const { address } = reached;
    const named = { ...row, reason: row.reason.map((fact) => this.named(fact)) };
    const judged = judgedWithOtherEnd(named, await this.other.of(row), thresholds);
    return this.row({
      ...judged,
      details: {
        ...judged.details,
        serverVersion: versions.server,
        ends: {
          caller: { machine: caller.name, iperf3: versions.caller },
          server: { machine: server.name, iperf3: versions.server, address, port: reached.server.port },
        },
      },
    });
  }

  private row(row: ClosedRow): ClosedRow {
    const { caller, server } = this.ends;
    const [roles = {}] = Object.values(row.load);
    return {
      ...row,
      index: this.index++,
      label: `${caller.name} with ${server.name}: ${row.label}`,
      load: { [caller.host]: roles, [server.host]: {} },
    };
  }

  /** What the machine that measured says of one end or the other has the names of the machines. */
  private named(fact: Fact): Fact {
    const { caller, server } = this.ends;
    const { data } = fact;
    if ('doubt' in data) return { ...fact, data: { ...data, here: caller.name, there: server.name } };
    return guardCodes.has(fact.code) ? { ...fact, data: { ...data, machine: caller.name } } : fact;
  }

  /** One that another machine ended too early. @throws WhitelineError */
  private requireAll(): void {
    const { caller } = this.ends;
    const { rates, pings } = this.parameters;
    if (this.whyLost === null && rates.includes('ndi')) return;
    const wanted = rowPlans(this.parameters).length + (pings > 0 ? 1 : 0);
    if (this.whyLost === null && this.index >= wanted) return;
    throw new WhitelineError({
      code: 'HOST_DIED',
      message: `${caller.name}: the experiment ended after ${this.index} of ${wanted} rows`,
    });
  }

  private async missing(error: unknown): Promise<ClosedRow> {
    const { context } = this;
    const { caller } = this.ends;
    const ended = await this.whyServerEnded();
    const { message } = toProblem(error);
    const machine = ended ? this.ends.server.name : caller.name;
    const why = ended ?? (message.startsWith(`${machine}: `) ? message.slice(machine.length + 2) : message);
    context.noteEvent('problem', `${machine}: ${why}`, { machine });
    const { step: _, label, ...row } = missingRow(machine, caller.host, context.isoNow(), why);
    return this.row({ ...row, step: {}, label: label.replace(`${machine}: `, '') });
  }

  /** Null: it runs, and the caller’s end is what failed. */
  private async whyServerEnded(): Promise<string | null> {
    const { server } = this.ends.reached;
    try {
      const words = this.whyLost ?? (await server.ended());
      return words && `its iperf3 server ${words}`;
    } catch (error) {
      return toProblem(error).message;
    }
  }
}

/** The longest that a run may take whose number of rows depends on what the link carries. */
function mostSeconds(parameters: LinkParameters): number {
  const {
    rates,
    protocols,
    directions,
    maxStreams = mostStreams,
    repeats,
    holdSeconds,
    omitSeconds,
  } = parameters;
  const held = rates.includes('ndi')
    ? protocols.length * directions.length * heldSteps(maxStreams).length
    : 0;
  return (rowPlans(parameters).length + held) * repeats * (holdSeconds + omitSeconds);
}
