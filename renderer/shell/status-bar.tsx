import { useEffect, useRef } from 'react';
import { history } from '../engine/connection';
import { type Readiness, readinessOf, useConsole } from '../engine/console-store';
import { loadColumns } from '../engine/load-history';
import { figure } from '../format';
import { perMbps, useNetworkUnit } from '../settings/network-unit';
import { texts } from '../texts';
import { NdiLink } from './sheets';
import styles from './status-bar.module.css';

const engineWords: Record<Readiness, string> = {
  starting: texts.engine.starting,
  crashed: texts.engine.crashed,
  'ndi-loading': texts.engine.starting,
  'ndi-missing': texts.engine.running,
  ready: texts.engine.running,
};

export function StatusBar() {
  const readiness = useConsole(readinessOf);
  const ndi = useConsole((view) => view.engine?.ndi ?? null);
  const machine = useConsole((view) => view.engine?.machine ?? null);
  return (
    <footer className={styles.bar}>
      <span data-testid="engine-state">{engineWords[readiness]}</span>
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
  if (rateMBps === null || neededMBps === null) return null;
  return (
    <span title={texts.status.diskHelp}>
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

  useEffect(() => {
    const inUnit = (mbps: number | null): string => figure(mbps === null ? null : mbps * perMbps[unit], 1);
    function write(): void {
      const { load } = history;
      const wireOut = load.last(loadColumns.wireOut);
      const wireIn = load.last(loadColumns.wireIn);
      const wireSum = wireOut === null || wireIn === null ? null : wireOut + wireIn;
      if (cpu.current) cpu.current.textContent = figure(load.last(loadColumns.cpuMachine), 1);
      if (loopback.current) loopback.current.textContent = inUnit(load.last(loadColumns.loopback));
      if (wire.current) wire.current.textContent = inUnit(wireSum);
    }
    write();
    return history.subscribe(write);
  }, [unit]);

  return (
    <>
      <span>
        {texts.status.cpu} <b className={styles.value} ref={cpu} /> {texts.charts.percent}
      </span>
      <span>
        {texts.status.loopback} <b className={styles.value} ref={loopback} /> {unit}
      </span>
      <span>
        {texts.status.wire} <b className={styles.value} ref={wire} /> {unit}
      </span>
    </>
  );
}
