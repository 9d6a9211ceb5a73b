import { metricOf } from '../facts/metrics/registry';
import { frameOutcomes } from './frame-outcomes';
import { exportedMetrics } from './metric-table';

/** Of docs/prometheus.md: all that is exported. */
export function exportedTable(): string {
  const head = '| Metric | Type | Labels | By | What it is |';
  const lines = exportedMetrics.map(({ name, type, labels, help, by: whose }) => {
    const names = labels.map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${type} | ${names || '–'} | ${whose} | ${help} |`;
  });
  return [head, ruleOf(head), ...lines].join('\n');
}

/** The outcomes of frames. */
export function outcomeTable(): string {
  const head = '| `outcome` | Figure of a row | What it is |';
  const lines = Object.entries(frameOutcomes).map(([outcome, figure]) => {
    if (figure === 'lostTotal')
      return `| \`${outcome}\` | – | Dropped, undecodable or spoilt: what a verdict counts. |`;
    return `| \`${outcome}\` | \`${figure}\` | ${metricOf(figure).description} |`;
  });
  return [head, ruleOf(head), ...lines].join('\n');
}

function ruleOf(head: string): string {
  return head.replace(/[^|]+/g, ' --- ');
}
