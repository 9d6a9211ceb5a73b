/** The dashboard for Grafana, as its import takes it. Grafana's own words are those of its schema 38 (Grafana 10). */

interface Query {
  expr: string;
  /** Of a line; `{{stream}}` is the label. */
  legend: string;
}

interface Panel {
  title: string;
  /** How Grafana draws it. */
  type: 'stat' | 'timeseries' | 'table';
  description: string;
  /** Grafana's name of it. */
  unit: string;
  queries: readonly Query[];
}

const here = 'instance=~"$instance"';
const columns = 24;

const panels: readonly Panel[] = [
  {
    ...{ title: 'Streams', type: 'stat', unit: 'short' },
    description: 'Streams that are open.',
    queries: [{ expr: `sum(whiteline_streams{${here}})`, legend: 'open' }],
  },
  {
    ...{ title: 'Frames lost in this time', type: 'stat', unit: 'short' },
    description: 'Lost frames over all streams: those that were counted, less those that came after all.',
    queries: [
      {
        expr: `sum(increase(whiteline_stream_frames_total{${here}, outcome="lost"}[$__range])) - sum(increase(whiteline_stream_frames_corrected_total{${here}, outcome="lost"}[$__range]))`,
        legend: 'lost',
      },
    ],
  },
  {
    ...{ title: 'Verdicts of rows', type: 'stat', unit: 'short' },
    description: 'Rows that the newest run has closed.',
    queries: [{ expr: `sum by (verdict) (whiteline_rows_total{${here}})`, legend: '{{verdict}}' }],
  },
  {
    ...{ title: 'Machines out of reach', type: 'stat', unit: 'short' },
    description: 'Machines of the fleet whose agent was not heard for 3.5 s.',
    queries: [
      { expr: `count(whiteline_machine_reachable{${here}} == 0) or vector(0)`, legend: 'out of reach' },
    ],
  },
  {
    ...{ title: 'Frames received per second', type: 'timeseries', unit: 'short' },
    description: 'Of each stream, over the newest second that is counted.',
    queries: [
      {
        expr: `whiteline_stream_received_frames_per_second{${here}}`,
        legend: '{{stream}} {{sender}} → {{receiver}}',
      },
    ],
  },
  {
    ...{ title: 'Frames lost per second', type: 'timeseries', unit: 'short' },
    description: 'Dropped, undecodable or spoilt frames of each stream.',
    queries: [
      {
        expr: `whiteline_stream_lost_frames_per_second{${here}}`,
        legend: '{{stream}} {{sender}} → {{receiver}}',
      },
    ],
  },
  {
    ...{ title: 'Latency', type: 'timeseries', unit: 's' },
    description: 'Of all frames since the end of the warm-up.',
    queries: [
      { expr: `whiteline_stream_latency_seconds{${here}}`, legend: '{{stream}} quantile {{quantile}}' },
    ],
  },
  {
    ...{ title: 'States of streams', type: 'table', unit: 'short' },
    description: 'The present state of each stream.',
    queries: [{ expr: `whiteline_stream_state{${here}}`, legend: '{{stream}} {{state}}' }],
  },
  {
    ...{ title: 'CPU of machines', type: 'timeseries', unit: 'percentunit' },
    description: 'Share of all cores that was busy.',
    queries: [{ expr: `whiteline_machine_cpu_ratio{${here}}`, legend: '{{machine}}' }],
  },
  {
    ...{ title: 'CPU by role', type: 'timeseries', unit: 'percentunit' },
    description: 'Share of all cores that Whiteline’s own processes took.',
    queries: [{ expr: `whiteline_role_cpu_ratio{${here}}`, legend: '{{machine}} {{role}}' }],
  },
  {
    ...{ title: 'Network', type: 'timeseries', unit: 'Bps' },
    description: 'Over the interfaces that lead out of each machine.',
    queries: [
      {
        expr: `whiteline_machine_network_receive_bytes_per_second{${here}}`,
        legend: '{{machine}} received',
      },
      {
        expr: `whiteline_machine_network_transmit_bytes_per_second{${here}}`,
        legend: '{{machine}} sent',
      },
    ],
  },
  {
    ...{ title: 'GPU', type: 'timeseries', unit: 'percentunit' },
    description: 'Share of the GPU that was busy.',
    queries: [{ expr: `whiteline_machine_gpu_ratio{${here}}`, legend: '{{machine}}' }],
  },
  {
    ...{ title: 'Memory', type: 'timeseries', unit: 'bytes' },
    description: 'In use by all programs of each machine.',
    queries: [{ expr: `whiteline_machine_memory_used_bytes{${here}}`, legend: '{{machine}}' }],
  },
  {
    ...{ title: 'Clock ±', type: 'timeseries', unit: 's' },
    description: 'How far a moment of each machine may be off on the console’s clock.',
    queries: [{ expr: `whiteline_machine_clock_uncertainty_seconds{${here}}`, legend: '{{machine}}' }],
  },
];

/** Height and width of a panel in Grafana's grid. */
function sizeOf({ type }: Panel): { h: number; w: number } {
  return type === 'stat' ? { h: 4, w: columns / 4 } : { h: 8, w: columns / 2 };
}

const datasource = { type: 'prometheus', uid: '${datasource}' };

/** From the left to the right, in lines. */
function placed(): object[] {
  let x = 0;
  let y = 0;
  let lineHeight = 0;
  return panels.map((panel, index) => {
    const { h, w } = sizeOf(panel);
    if (x + w > columns || (x > 0 && h !== lineHeight)) {
      y += lineHeight;
      x = 0;
    }
    lineHeight = h;
    const gridPos = { x, y, w, h };
    x += w;
    const { title, type, description, unit, queries } = panel;
    return {
      ...{ id: index + 1, title, type, description, datasource, gridPos },
      fieldConfig: { defaults: { unit }, overrides: [] },
      options: {},
      targets: queries.map(({ expr, legend }, at) => ({
        ...{ refId: String.fromCharCode(65 + at), datasource, expr, legendFormat: legend },
        ...(type === 'table' && { instant: true, format: 'table' }),
      })),
    };
  });
}

export function dashboard(): object {
  return {
    ...{ title: 'Whiteline', uid: 'whiteline', tags: ['whiteline'], schemaVersion: 38, version: 1 },
    ...{ editable: true, refresh: '5s', timezone: 'browser', time: { from: 'now-15m', to: 'now' } },
    annotations: { list: [] },
    templating: {
      list: [
        { ...{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' } },
        {
          ...{ name: 'instance', label: 'Instance', type: 'query', datasource, refresh: 2 },
          ...{ query: 'label_values(whiteline_build_info, instance)', multi: true, includeAll: true },
          allValue: '.*',
          current: { text: 'All', value: '$__all' },
        },
      ],
    },
    panels: placed(),
  };
}
