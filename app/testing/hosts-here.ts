import type { HostApplication, HostProcess } from '../engine/host-application';
import { deriveRunFile } from '../engine/sessions/derive-run';
import { onBeat } from '../protocol/beat';
import type { HostMessage, HostRequest } from '../protocol/host';
import { machineClock } from '../protocol/machine-clock';
import { packRecords } from '../protocol/record-block';
import { noReportHeader, type ReportHeader } from '../protocol/report-header';
import { Host } from '../streamhost/host';
import { problemOf } from '../streamhost/problem';

/** Stream hosts that live in this process with the native addon, for streams that never leave it. */
export class HostsHere implements HostApplication {
  readonly hostsShareProcess = true;
  readonly reportTemplate = '';
  readonly deriveRun: HostApplication['deriveRun'] = async (...run) => deriveRunFile(...run);

  spawnStreamHost(): HostProcess {
    return new HostHere();
  }

  watchOwnStandstill(): ReturnType<HostApplication['watchOwnStandstill']> {
    return { take: () => [], close: () => undefined };
  }

  consoleProcessIds(): number[] {
    return [];
  }

  printPage(): Promise<void> {
    return Promise.reject(new Error('hosts of a test have no printer'));
  }

  async reportHeader(): Promise<ReportHeader> {
    return noReportHeader;
  }

  async redeemGrant(_purpose: string, grant: string): Promise<string> {
    return grant;
  }
}

/** Does what the entry of a host's process does. */
class HostHere implements HostProcess {
  readonly processId = process.pid;
  private readonly host = new Host((progress) => this.deliver(progress), machineClock);
  private deliver: (message: HostMessage) => void = () => undefined;
  private noteExit: (exitCode: number) => void = () => undefined;
  private readonly stop = onBeat(machineClock, () => this.report());

  post(request: HostRequest): void {
    void this.answer(request);
  }

  onMessage(listener: (message: HostMessage) => void): void {
    this.deliver = listener;
  }

  onExit(listener: (exitCode: number) => void): void {
    this.noteExit = listener;
  }

  kill(): void {
    this.stop();
    this.host.close();
    queueMicrotask(() => this.noteExit(0));
  }

  private report(): void {
    this.deliver(packRecords(this.host.drain()));
  }

  private async answer(request: HostRequest): Promise<void> {
    const reply = await this.host.execute(request).then(
      (value) => ({ value, problem: null }),
      (error) => ({ value: null, problem: problemOf(error) }),
    );
    this.report();
    this.deliver({ type: 'reply', requestId: request.requestId, ...reply });
  }
}
