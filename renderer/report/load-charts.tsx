import { useState } from 'react';
import type { ReportData } from '../../app/protocol/report';
import { ChartBoard } from '../charts/chart-board';
import type { ChartSpec } from '../charts/chart-specs';
import { Charts } from '../charts/charts';
import { texts } from '../texts';
import { heldMachineSpecs, heldSpecs } from './load-specs';
import styles from './report.module.css';
import { historyOf } from './report-data';

/** Load over time of the machine that recorded the run, and of each other one on which its streams ran. */
export function LoadCharts({ data, without }: { data: ReportData; without?: string }) {
  const { machines = [], load } = data;
  const specs = heldSpecs(load).filter(({ title }) => title !== without);
  if (machines.length === 0) return <ChartsOfMachine data={data} specs={specs} />;
  return (
    <>
      <h3 className={styles.hostName}>{texts.report.console}</h3>
      <ChartsOfMachine data={data} specs={specs} />
      {machines.map(({ name, load: own }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two machines may have one name, and they never change their order
        <section key={index} data-testid="machine-charts">
          <h3 className={styles.hostName}>{name}</h3>
          <ChartsOfMachine data={{ ...data, load: own }} specs={heldMachineSpecs(own)} />
        </section>
      ))}
    </>
  );
}

interface MachineProps {
  data: Pick<ReportData, 'load' | 'marks' | 'run'>;
  specs: readonly ChartSpec[];
}

export function ChartsOfMachine({ data, specs }: MachineProps) {
  const [board] = useState(() => new ChartBoard(historyOf(data), true));
  if (specs.length === 0) return null;
  return (
    <div className={styles.charts} data-rows={specs.length > 3 ? 2 : 1}>
      <Charts board={board} specs={specs} />
      {board.history.outages.length > 0 && <p className={styles.note}>{texts.report.outages}</p>}
      {data.load.samplesPerPoint > 1 && (
        <p className={styles.note}>{texts.report.thinned(data.load.samplesPerPoint)}</p>
      )}
    </div>
  );
}
