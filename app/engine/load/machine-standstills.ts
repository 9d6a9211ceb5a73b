import { afterRecordsMs, onBeat } from '../../protocol/beat';
import type { Clock } from '../../protocol/clock';
import type { Standstill } from '../../protocol/standstill';
import type { OwnStandstillWatch } from '../../standstill/own-standstill';
import { type ProcessStandstill, StandstillLog, type Who } from './standstills';
import { type LookAtTools, lookAtTools, type ToolLooks, toolStandstills } from './tool-watch';

export interface MachineStandstillsOptions {
  clock: Pick<Clock, 'monotonicNs' | 'after'>;
  /** Of this process. */
  own: OwnStandstillWatch;
  /** Of processes that are asked something beside streams, as they report it. */
  takeContent?(): Standstill[];
  /** Programs of others that measure or play for us. */
  toolProcessIds(): readonly number[];
  lookAtTools?: LookAtTools;
  /** Once, where nothing is known of this process any more. */
  onProblem(text: string): void;
}

const engine: Who = { role: 'engine' };
const content: Who = { role: 'content' };

/**
 * The standstills of all processes on this machine that measure: what stream hosts report of theirs is added; this process and programs of
 * others are watched.
 */
export class MachineStandstills {
  private readonly log = new StandstillLog();
  private looks: ToolLooks | null = null;
  private whyOwnUnknown: string | null = null;
  private readonly stop: () => void;

  constructor(private readonly options: MachineStandstillsOptions) {
    this.stop = onBeat(options.clock, () => this.look(), { afterMs: afterRecordsMs });
  }

  add(who: Who, standstills: readonly Standstill[]): void {
    this.log.add(who, standstills);
  }

  near(fromNs: number, toNs: number): ProcessStandstill[] {
    this.takeOwn();
    const whyUnknown = this.whyOwnUnknown;
    const known = this.log.near(fromNs, toNs);
    if (whyUnknown === null) return known;
    return [...known, { who: engine, kind: 'starved', fromNs: toNs, toNs, whyUnknown }];
  }

  close(): void {
    this.stop();
    this.options.own.close();
  }

  /** Four times a second: that distinguishes a program's stop of 0.7 s from one of 1.2 s. */
  private look(): void {
    const { clock, toolProcessIds, lookAtTools: lookAt = lookAtTools } = this.options;
    this.takeOwn();
    const ids = toolProcessIds();
    const looks = ids.length > 0 ? { atNs: clock.monotonicNs(), tools: lookAt(ids) } : null;
    if (looks && this.looks) this.log.addAll(toolStandstills(this.looks, looks));
    this.looks = looks;
  }

  private takeOwn(): void {
    this.log.add(content, this.options.takeContent?.() ?? []);
    if (this.whyOwnUnknown !== null) return;
    try {
      this.log.add(engine, this.options.own.take());
    } catch (error) {
      this.whyOwnUnknown = (error as Error).message;
      this.options.onProblem(this.whyOwnUnknown);
    }
  }
}
