import { randomUUID } from 'node:crypto';
import type { ContextWith } from '../../engine/experiment/experiment';
import type { RemoteMachine } from '../../engine/host-application';
import type { ProcessStandstill } from '../../engine/load/standstills';
import { samplesWithin } from '../../engine/load/window';
import { leadsHere } from '../../engine/tools/leads-here';
import { here } from '../../engine/tools/namespace';
import { counted } from '../../facts/count-words';
import { wordsOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { badAnswers } from '../../nmos/load/load-judgement';
import { resourcesPerNode } from '../../nmos/load/simulated-node';
import { toProblem } from '../../protocol/errors';
import { type ForeignRegistry, findRegistry } from './checks';
import { Conversation } from './conversation';
import { type Controller, crosspointRowCount, crosspointRows, failedCrosspoints } from './crosspoints';
import { type NmosScaleParameters, nmosScaleDeclaration } from './declaration';
import { openNetworks, type ScaleNetworks } from './networks';
import { type NodesProgress, type OpenedNodes, openNodes } from './open-nodes';
import { type OwnRegistry, openRegistries } from './open-registries';
import { standstillsOf } from './own-processes';
import { type Counted, expectedResources, type PartReadings } from './part-readings';
import type { PartReport } from './part-report';
import { controllerProgram } from './programs';
import { othersBefore, RowOpener } from './row-opener';
import { hostsTowards, isElsewhere, takeMachines } from './scale-machines';
import { type PartPlan, partPlans, remainingSeconds, stateText } from './scale-progress';
import { failedRow, labelOf, measuredRow } from './scale-rows';

/** Added to the time of a part, for pending heartbeats and a busy machine. */
const reportLimitMs = 60_000;
/** Longer than the 60 s that a count may take. */
const countLimitMs = 90_000;
/** For the report of a run that was stopped. */
const stoppedLimitMs = 5000;
/** Never aborted: a stopped run still asks for its report and the removal of its resources. */
const never = new AbortController().signal;
/** For the removal of our resources from an external registry. */
const removeLimitMs = 60_000;
/** After the last registration, for the peer to receive all resources. */
const replicationLimitMs = 30_000;

/** Figures of one part that not all parts have. */
type Own = Pick<PartReadings, 'replicationSeconds' | 'fewest' | 'isLate'> & {
  /** Of a registry that the part ends. */
  endedStandstills?: ProcessStandstill[];
};
const late: Own = { replicationSeconds: null, fewest: null, isLate: true };

/** One run: starts the registries and the simulated nodes, and carries out the parts in order. */
export class ScaleRun {
  /** All resource ids derive from it, so that a run never touches resources of another run. */
  private readonly name = randomUUID();
  private readonly plans: PartPlan[];
  private index = 0;
  private rowIndex = 0;
  private isControlling = false;
  private networks: ScaleNetworks | null = null;
  private foreign: ForeignRegistry | null = null;
  private registries: OwnRegistry[] = [];
  private opened: OpenedNodes | null = null;
  /** Other machines, on which nodes run. */
  private others: RemoteMachine[] = [];
  /** URL of the nodes' Connection API. */
  private controls: string | null = null;
  private hasBegun = false;
  /** A process failed: the run cannot measure any further part. */
  private hasFailed = false;
  private countNumber = 0;
  /** Resources of the nodes that were registered at the end of the newest row. */
  private registeredResources = 0;
  private readonly opener: RowOpener;
  /** Start of the current part. */
  private partStartedNs: number;

  constructor(
    private readonly parameters: NmosScaleParameters,
    private readonly context: ContextWith<'helper' | 'machines'>,
  ) {
    this.plans = partPlans(parameters);
    this.opener = new RowOpener(context);
    this.partStartedNs = context.clock.monotonicNs();
  }

  async *rows(): AsyncGenerator<ClosedRow> {
    for (const plan of this.plans) {
      const row = await this.measure(plan);
      if (row) yield row;
      if (!row || this.hasFailed || this.context.signal.aborted) return;
      this.rowIndex += 1;
      if (plan.part === 'registration' && this.parameters.crosspoints > 0) yield* this.controlled();
      if (this.hasFailed || this.context.signal.aborted) return;
      this.index += 1;
    }
  }

  async close(): Promise<void> {
    if (this.foreign && this.hasBegun) await this.removeOurs();
    await Promise.all(
      [this.opened?.nodes, this.opened?.counter, ...this.registries.map(({ talk }) => talk)].map((process) =>
        process?.stop(),
      ),
    );
    await this.networks?.close();
  }

  private async measure(plan: PartPlan): Promise<ClosedRow | null> {
    const { context, parameters, index } = this;
    const { clock } = context;
    let close = this.opener.open();
    let fromNs = clock.monotonicNs();
    this.partStartedNs = fromNs;
    try {
      if (index === 0) {
        this.opener.before = await othersBefore(context);
        await this.open();
        close = this.opener.open();
        fromNs = clock.monotonicNs();
      }
      const own = await this.carryOut(plan);
      const report = await this.report();
      this.registeredResources = expectedResources(report);
      const toNs = clock.monotonicNs();
      const samples = context.samples(fromNs, toNs);
      const frame = { index: this.rowIndex, ...(await close()) };
      const counted = await this.count();
      const registries = this.origins();
      const standstills = [...(await this.standstills()), ...(own.endedStandstills ?? [])];
      const busyBeforePercent = index === 0 ? this.opener.before.percent : null;
      return measuredRow(frame, parameters, context.thresholds, {
        ...{ ...plan, ...own, report, samples, counted, registries, busyBeforePercent, standstills, fromNs },
        others: this.others.map(({ name, samples: all }) => ({
          machine: name,
          samples: samplesWithin(all, fromNs, toNs),
        })),
      });
    } catch (error) {
      if (context.signal.aborted) return null;
      return failedRow({ index: this.rowIndex, ...(await close()) }, parameters, plan, this.failed(error));
    }
  }

  /** A stopped run reports without waiting for heartbeats. */
  private async report(): Promise<PartReport> {
    const { signal } = this.context;
    const ask = (waits: boolean, limitMs: number, until: AbortSignal) =>
      this.nodes().report(waits, limitMs, until);
    if (!signal.aborted)
      try {
        return await ask(true, this.reportLimitMs(), signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    return ask(false, stoppedLimitMs, never);
  }

  /** How the processes of the nodes and of the registries of our own stood still since they were last asked. */
  private async standstills(): Promise<ProcessStandstill[]> {
    const own = this.living().map(standstillsOf);
    return (await Promise.all([...own, this.nodes().standstills()])).flat();
  }

  /** @throws any error that is not a failure of a process */
  private failed(error: unknown): string {
    const { code, message } = toProblem(error);
    if (code !== 'TOOL_FAILED' && code !== 'HOST_DIED' && code !== 'HOST_SILENT') throw error;
    this.hasFailed = true;
    return message;
  }

  /** Rows of a controller, which runs in the namespace of the nodes. */
  private async *controlled(): AsyncGenerator<ClosedRow> {
    const { parameters, context, name: run, networks, foreign } = this;
    const close = this.opener.open();
    let controller: Controller | null = null;
    this.isControlling = true;
    this.partStartedNs = context.clock.monotonicNs();
    try {
      const started = await context.helper.start(controllerProgram(networks?.nodes ?? here));
      controller = new Conversation('controller', started.helper, context.clock, context.signal);
      const rows = crosspointRows({
        ...{ controller, run, parameters, context, firstIndex: this.rowIndex },
        openRow: () => this.opener.open(),
        standstills: () => this.standstills(),
        query: foreign?.query ?? this.origins()[0] ?? '',
        version: foreign?.version ?? 'v1.3',
        controls: this.controls ?? '',
        registered: this.registeredResources / resourcesPerNode,
      });
      for await (const row of rows) {
        yield row;
        this.rowIndex += 1;
      }
    } catch (error) {
      if (context.signal.aborted) return;
      yield failedCrosspoints({ index: this.rowIndex, ...(await close()) }, this.failed(error));
    } finally {
      this.isControlling = false;
      await controller?.stop();
    }
  }

  private async open(): Promise<void> {
    const { parameters, context } = this;
    const { registry, query, registryCount, inNamespaces } = parameters;
    if (registry !== undefined) {
      this.foreign = await findRegistry(registry, query);
      this.opener.isRegistryHere = await leadsHere(this.foreign.origin);
    }
    const machines = isElsewhere(parameters) ? await takeMachines(parameters, context) : [null];
    this.others = machines.flatMap((machine) => machine ?? []);
    this.opener.others = this.others;
    const towards = this.foreign ? [] : await hostsTowards(this.others);
    this.networks = await openNetworks(inNamespaces, registryCount);
    if (!this.foreign)
      await openRegistries(this.registries, this.networks.registries, { parameters, context, towards });
    this.opened = await openNodes({
      ...{ parameters, context, machines, network: this.networks.nodes },
      registries: this.foreign ? [[this.foreign.origin]] : this.registries.map(({ origins }) => origins),
      onProgress: (progress) => this.note(progress),
    });
  }

  private carryOut(plan: PartPlan): Promise<Own> {
    if (plan.part === 'registration') return this.register();
    return plan.break ? this.breakLink(plan.break) : this.endRegistry();
  }

  private async register(): Promise<Own> {
    const { waitSeconds, holdSeconds, nodes, connections, poolSize, startMode, rampSeconds } =
      this.parameters;
    const { heartbeatSeconds, expirySeconds, httpTimeoutSeconds, dnsSdRetrySeconds } = this.parameters;
    const resources = resourcesPerNode * nodes;
    for (const { talk } of this.registries) await talk.send({ type: 'hold', resources });
    this.hasBegun = true;
    this.controls = await this.nodes().begin({
      run: this.name,
      version: this.foreign?.version ?? 'v1.3',
      connections: connections === 'pool' ? poolSize : connections,
      rampSeconds: startMode === 'ramp' ? rampSeconds : 0,
      ...{ heartbeatSeconds, expirySeconds, httpTimeoutSeconds, retrySeconds: dnsSdRetrySeconds },
      controlHost: this.parameters.crosspoints > 0 ? (this.networks?.nodesHost ?? null) : null,
    });
    const settledNs = await this.nodes().settled(1000 * waitSeconds);
    if (settledNs === null) return late;
    const { clock } = this.context;
    const heldMs = clock.monotonicNs() / 1e6 + 1000 * holdSeconds;
    const replicationSeconds = await this.replicationSeconds(settledNs).catch(this.unlessStopped);
    const leftMs = Math.max(0, heldMs - clock.monotonicNs() / 1e6);
    await this.nodes().hold(leftMs).catch(this.unlessStopped);
    return { replicationSeconds, fewest: null, isLate: false };
  }

  /** Time from `sinceNs` until both registries hold all resources; null: only one registry, or timed out. */
  private async replicationSeconds(sinceNs: number): Promise<number | null> {
    if (this.living().length < 2) return null;
    const all = await Promise.all(this.living().map(({ talk }) => talk.next('holds', replicationLimitMs)));
    const seconds = all.flatMap((held) => (held ? [(Number(held.atNs) - sinceNs) / 1e9] : []));
    return seconds.length === all.length ? Math.max(0, ...seconds) : null;
  }

  /** Waits until all nodes are back, and then until both registries hold their resources. */
  private async recovered(): Promise<Own> {
    const { waitSeconds, nodes } = this.parameters;
    const recoveredNs = await this.nodes().recovered(1000 * waitSeconds);
    if (recoveredNs === null) return late;
    for (const { talk } of this.living()) {
      // What came too late for an earlier part is not of this one.
      talk.forget('holds');
      await talk.send({ type: 'hold', resources: resourcesPerNode * nodes });
    }
    const replicationSeconds = await this.replicationSeconds(recoveredNs).catch(this.unlessStopped);
    return { replicationSeconds, fewest: null, isLate: false };
  }

  private async breakLink({ seconds, by }: NonNullable<PartPlan['break']>): Promise<Own> {
    const cut = by === 'link' ? this.networks?.cut : null;
    const become = async (isBroken: boolean): Promise<void> => {
      if (cut) await cut(isBroken);
      else await this.nodes().silence(isBroken);
    };
    await this.nodes().part();
    await become(true);
    await this.nodes().hold(seconds * 1000);
    await this.nodes().recover(null);
    await become(false);
    return this.recovered();
  }

  private async endRegistry(): Promise<Own> {
    const [left, ended] = this.registries;
    if (!left || !ended) throw new Error('There are two registries');
    const expected = this.registeredResources;
    await this.nodes().part();
    await left.talk.send({ type: 'watch' });
    const endedStandstills = await standstillsOf(ended);
    await this.nodes().recover(this.registries.indexOf(ended));
    // It exits at once, without notice to its nodes and its peer.
    await ended.talk.stop();
    const own = await this.recovered();
    const { fewest: resources } = await left.talk.ask({ type: 'census' }, 'census', undefined, never);
    return { ...own, endedStandstills, fewest: { resources, expected } };
  }

  private readonly unlessStopped = (error: unknown): null => {
    if (this.context.signal.aborted) return null;
    throw error;
  };

  /** The count at the running registry that holds the fewest of our resources. */
  private async count(): Promise<Counted> {
    const queries = this.foreign ? [this.foreign.query] : this.living().map(({ origin }) => origin);
    const version = this.foreign?.version ?? 'v1.3';
    const all: Counted[] = [];
    const stopped = (error: unknown): Counted =>
      this.unlessStopped(error) ?? { why: 'the run was stopped before the count' };
    for (const query of queries) all.push(await this.countAt(query, version).catch(stopped));
    const fewest = (one: Counted, other: Counted): Counted => {
      if ('why' in one || 'why' in other) return 'why' in one ? one : other;
      return one.ours <= other.ours ? one : other;
    };
    return all.reduce(fewest);
  }

  private async countAt(query: string, version: ForeignRegistry['version']): Promise<Counted> {
    const { counter } = this.ready();
    const number = this.countNumber++;
    const { nodes } = this.parameters;
    await counter.send({ type: 'count', number, query, version, run: this.name, nodes });
    let counted = await counter.next('counted', countLimitMs);
    // Skips late answers to earlier counts.
    while (counted && counted.number !== number) counted = await counter.next('counted', countLimitMs);
    if (!counted) return { why: 'the count timed out' };
    const { ours, leftOver, others, why } = counted;
    return why === null ? { ours, leftOver, others } : { why };
  }

  private living(): OwnRegistry[] {
    const isOver = this.plans[this.index]?.part === 'registry killed';
    return isOver ? this.registries.slice(0, 1) : this.registries;
  }

  private async removeOurs(): Promise<void> {
    if (!this.opened) return;
    // If a process has ended, its resources expire in the registry.
    const { staying, answers, isWhole } = await this.opened.nodes.remove(removeLimitMs, never);
    // No row is open any more.
    const bad = badAnswers('removal', answers);
    if (bad.length > 0) this.context.noteEvent('problem', wordsOf(bad));
    if (staying === 0) return;
    const which = `${isWhole ? '' : 'up to '}${counted(staying, 'node')}`;
    const text = `The registry did not remove ${which} of this run: they stay until they expire`;
    this.context.noteEvent('problem', text);
  }

  private ready(): OpenedNodes {
    if (!this.opened) throw new Error('The nodes have been started');
    return this.opened;
  }

  private nodes(): OpenedNodes['nodes'] {
    return this.ready().nodes;
  }

  private origins(): string[] {
    return this.foreign ? [this.foreign.origin] : this.registries.map(({ origin }) => origin);
  }

  private reportLimitMs(): number {
    const { expirySeconds, httpTimeoutSeconds } = this.parameters;
    return reportLimitMs + 1000 * (expirySeconds + httpTimeoutSeconds);
  }

  private note(progress: NodesProgress): void {
    const { nodes, crosspoints } = this.parameters;
    const plan = this.plans[this.index];
    if (!plan) return;
    const { index, isControlling } = this;
    const elapsedSeconds = (this.context.clock.monotonicNs() - this.partStartedNs) / 1e9;
    const doing = { index, isControlling, elapsedSeconds };
    const left = remainingSeconds(this.plans, this.parameters, doing);
    const whole = Math.max(left, nmosScaleDeclaration.expectedSeconds(this.parameters) ?? 0);
    const there = stateText(plan, progress);
    this.context.progress({
      phase: `${isControlling ? 'matrix and crosspoints' : labelOf(nodes, plan)}: ${there}`,
      ...{ step: this.rowIndex + 1, steps: this.plans.length + (crosspoints > 0 ? crosspointRowCount : 0) },
      ...{ phaseSeconds: whole, phaseElapsedSeconds: whole - left, remainingSeconds: left },
    });
  }
}
