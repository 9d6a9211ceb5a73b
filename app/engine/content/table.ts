import type { ContentClip, Manifest } from './manifest';

const notMeasured = 'not measured';

/** The clips as a table in Markdown: the one in docs/content.md. */
export function contentTable({ measured, clips }: Manifest): string {
  const { hapQ, ndi } = measured;
  const heads = [
    'clip',
    'what it stresses',
    `Hap Q, Mb/s (${hapQ.size.replace('x', '×')}@${hapQ.rate})`,
    `NDI, Mb/s (${ndi.size.replace('x', '×')}@${ndi.rate})`,
    'PSNR through NDI, dB: mean',
    'worst frame',
  ];
  const rows = [heads, heads.map((_, column) => (column < 2 ? '---' : '---:')), ...clips.map(cellsOf)];
  return `${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

function cellsOf({ name, stresses, hapQ, ndi }: ContentClip): string[] {
  const decibels = (value: number | 'exact'): string => (value === 'exact' ? value : value.toFixed(1));
  const ndiCells =
    'notMeasured' in ndi
      ? [notMeasured, notMeasured, notMeasured]
      : [ndi.bitrateMbps.toFixed(0), decibels(ndi.meanPsnrDb), decibels(ndi.worstPsnrDb)];
  const hapCell = 'notMeasured' in hapQ ? notMeasured : hapQ.bitrateMbps.toFixed(0);
  return [`\`${name}\``, stresses, hapCell, ...ndiCells];
}
