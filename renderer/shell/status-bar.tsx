import { useEffect, useRef } from 'react';
import { ndiRuntimeOf } from '../../app/protocol/transports';
import { history } from '../engine/connection';
import { type Readiness, readinessOf, useConsole } from '../engine/console-store';
import { useSilence } from '../engine/use-silence';
import { figure } from '../format';
import { perMbps, useNetworkUnit } from '../settings/network-unit';
import { texts } from '../texts';
import { loadNow } from './load-now';
import { NdiLink } from './sheets';
import styles from './status-bar.module.css';

const engineWords: Record<Readiness, string> = {
  starting: texts.engine.starting,
  crashed: texts.engine.crashed,
  'ndi-loading': texts.engine.starting,
  'ndi-missing': texts.engine.running,
  ready: texts.engine.running,
};

/** Of an engine that should run, and that sends nothing, the bar says so. */
const isRunning: Record<Readiness, boolean> = {
  ...{ starting: false, crashed: false, 'ndi-loading': false },
  ...{ 'ndi-missing': true, ready: true },
};

export function StatusBar() {
  const readiness = useConsole(readinessOf);
  const isSilent = useSilence(history);
  const ndi = ndiRuntimeOf(useConsole((view) => view.engine?.transport ?? null));
  const machine = useConsole((view) => view.engine?.machine ?? null);
  return (
    <footer className={styles.bar}>
      <span data-testid="engine-state">
        {isSilent && isRunning[readiness] ? texts.engine.silent : engineWords[readiness]}
      </span>
      <span>
        <span data-testid="ndi-version" title={ndi?.version}>
          {ndi ? texts.ndi.version(ndi.version) : ndiWord(readiness)}
        </span>{' '}
        <NdiLink />
      </span>
      <span className={styles.notice}>{texts.ndi.notice}</span>
      {machine && (
        <span className={styles.machine} title={machine.cpuModel}>
          {machine.hostName}, {texts.status.cores(machine.cores)}
        </span>
      )}
      <DiskNow />
      <LoadNow />
    </footer>
  );
}

function ndiWord(readiness: Readiness): string {
  return readiness === 'ndi-missing' ? texts.ndi.missing : texts.ndi.loading;
}

/** Of a Hap movie that is read from its disk. */
function DiskNow() {
  const rateMBps = useConsole((view) => view.engine?.source?.diskRateMBps ?? null);
  const neededMBps = useConsole((view) => view.engine?.source?.neededDiskRateMBps ?? null);
  const reads = useConsole((view) => view.engine?.source?.reads ?? null);
  if (rateMBps === null || neededMBps === null || reads === null) return null;
  return (
    <span title={texts.status.diskHelp[reads]}>
      {texts.status.disk}{' '}
      <b className={styles.value} data-testid="disk-rate">
        {texts.status.diskRates(figure(rateMBps), figure(neededMBps))}
      </b>
    </span>
  );
}

/** The newest load, written straight into the page twice a second. */
function LoadNow() {
  const cpu = useRef<HTMLElement>(null);
  const loopback = useRef<HTMLElement>(null);
  const wire = useRef<HTMLElement>(null);
  const unit = useNetworkUnit();
  const isSilent = useSilence(history);

  useEffect(() => {
    function write(): void {
      const now = loadNow(history, perMbps[unit]);
      if (cpu.current) cpu.current.textContent = now.cpu;
      if (loopback.current) loopback.current.textContent = now.loopback;
      if (wire.current) wire.current.textContent = now.wire;
    }
    write();
    return history.subscribe(write);
  }, [unit]);

  return (
    <span className={styles.load} title={isSilent ? texts.status.notMeasured : undefined}>
      <span>
        {texts.status.cpu} <b className={styles.value} ref={cpu} /> {texts.charts.percent}
      </span>
      <span>
        {texts.status.loopback} <b className={styles.value} ref={loopback} /> {unit}
      </span>
      <span>
        {texts.status.wire} <b className={styles.value} ref={wire} /> {unit}
      </span>
    </span>
  );
}
