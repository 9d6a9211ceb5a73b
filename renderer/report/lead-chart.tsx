import { declarations } from '../../app/experiments/declarations';
import { countedRows } from '../../app/facts/row-labels';
import type { ReportData } from '../../app/protocol/report';
import type { ChartSpec } from '../charts/chart-specs';
import { DeclaredCharts } from '../charts/declared-charts';
import { lostChart } from '../charts/lost-chart';
import { StepChart } from '../charts/step-chart';
import { type AtFault, atFault } from '../experiments/at-fault';
import { type ShownChart, shownCharts, showsFault } from '../experiments/shown-charts';
import { inShownOrder } from '../table/shown-order';
import { ChartsOfMachine } from './load-charts';
import { heldSpecs } from './load-specs';

/** The one chart of page one, which no later page shows again. */
export type Lead = ShownChart | { title: string; kind: 'load' };

/**
 * Why the run did not pass: what was lost over the steps, or the figure that was at its limit, over the steps or over time. Of a run
 * that passed, the first chart that its experiment declares. None where no chart shows it.
 */
export function leadOf({ run, load }: Pick<ReportData, 'run' | 'load'>): Lead | null {
  const fault = atFault(run.rows);
  const spec = fault === null || fault === 'lost' ? lostChart(countedRows(run.rows)) : null;
  if (spec) return { title: spec.title, kind: 'steps', spec };
  const hasMap = declarations.some(({ id, heatMap }) => id === run.experiment && heatMap !== undefined);
  const [first] = hasMap ? [] : shownCharts(run);
  if (first && (fault === null || showsFault(first, fault))) return first;
  const held = load.wallMs.length > 1 ? heldSpecs(load) : [];
  const overTime = held.find(({ id }) => id === loadChartOf(fault));
  return overTime ? { title: overTime.title, kind: 'load' } : null;
}

/** Which chart over time shows it. */
function loadChartOf(fault: AtFault | null): ChartSpec['id'] | null {
  if (fault === null || fault === 'lost') return fault;
  if (fault.some((id) => id.endsWith('.cpuMaxPercent'))) return 'cpu';
  return fault.some((id) => id.endsWith('.gpuMaxPercent')) ? 'gpu' : null;
}

export function LeadChart({ lead, data }: { lead: Lead; data: ReportData }) {
  const { run, load } = data;
  if (lead.kind === 'other') return <DeclaredCharts charts={[lead.declared]} rows={run.rows} />;
  if (lead.kind === 'steps')
    return <StepChart spec={lead.spec} rows={inShownOrder(run.experiment, run.rows)} />;
  return <ChartsOfMachine data={data} specs={heldSpecs(load).filter(({ title }) => title === lead.title)} />;
}
