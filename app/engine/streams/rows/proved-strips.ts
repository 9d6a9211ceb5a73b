import { wordsOf } from '../../../facts/reason-words';
import type { Row, Subject } from '../../../facts/row';
import type { StreamView } from '../../../protocol/console';

type Judged = Pick<StreamView, 'id' | 'verdict' | 'reason'>;
type ClosedRow = Pick<Row, 'index'> & { subjects: readonly Pick<Subject, 'id' | 'verdict' | 'reason'>[] };

/**
 * Streams as they are shown, with what closed rows have proved of them. What spoils a strip, which is judged since its warm-up, may lie
 * in another row: the FAIL of a row stays one in its strip, as it does in the verdict of the run.
 */
export function withProvedRows<View extends Judged>(
  views: readonly View[],
  rows: readonly ClosedRow[],
): View[] {
  return views.map((view) => {
    if (view.verdict !== 'INVALID') return view;
    for (const { index, subjects } of rows) {
      const failed = subjects.find(({ id, verdict }) => id === String(view.id) && verdict === 'FAIL');
      if (failed)
        return { ...view, verdict: 'FAIL', reason: `row ${index}: ${wordsOf(failed.reason ?? [])}` };
    }
    return view;
  });
}
