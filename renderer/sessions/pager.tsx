import { Button } from '../shell/button';
import { texts } from '../texts';
import styles from './pager.module.css';

interface Props {
  /** Of the first one that is shown. */
  offset: number;
  pageSize: number;
  total: number;
  before: string;
  after: string;
  onTurn: (offset: number) => void;
}

/** Goes through what is too long for one page. */
export function Pager({ offset, pageSize, total, before, after, onTurn }: Props) {
  if (total <= pageSize) return null;
  const end = Math.min(offset + pageSize, total);
  return (
    <div className={styles.pager}>
      <Button
        size="small"
        hindrance={offset === 0 ? texts.sessions.firstPage : null}
        onPress={() => onTurn(Math.max(0, offset - pageSize))}
      >
        {before}
      </Button>
      <span>{texts.sessions.page(offset + 1, end, total)}</span>
      <Button
        size="small"
        hindrance={end >= total ? texts.sessions.lastPage : null}
        onPress={() => onTurn(offset + pageSize)}
      >
        {after}
      </Button>
    </div>
  );
}
