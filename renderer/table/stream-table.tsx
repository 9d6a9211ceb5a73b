import type { Metric } from '../../app/facts/metrics/registry';
import type { Row, Subject } from '../../app/facts/row';
import { figureOf } from '../../app/facts/row-figures';
import { notMeasuredSign } from '../format';
import { texts } from '../texts';
import { SubjectTable } from './subject-table';

interface Props {
  rows: readonly Row[];
  columns: readonly Metric[];
  showsRow?: boolean;
}

/** The same figures for each stream of each row, with the method by which it was followed. */
export function StreamTable(props: Props) {
  return (
    <SubjectTable
      {...props}
      heading={texts.losses.stream}
      words={{ heading: texts.times.method, of: methodOf }}
      testId="stream-table"
    />
  );
}

/** Runs of an older version do not report it. */
function methodOf(stream: Subject): string {
  const method = figureOf(stream, 'method');
  if (method === 'frame-code' || method === 'timestamps') return texts.methods[method];
  return typeof method === 'string' ? method : notMeasuredSign;
}
