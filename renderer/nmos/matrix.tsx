import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import { keepChart } from '../charts/kept-chart';
import { texts } from '../texts';
import styles from './matrix.module.css';
import { type Cell, clamped, moved } from './matrix-layout';
import { MatrixView, type ShownContent } from './matrix-view';
import { askToConnect, dropAsked } from './nmos-actions';
import { book, useNmos } from './nmos-store';
import { fullNameOf, isConnectedElsewhere } from './resource-book';

const { nmos } = texts;
const firstCell: Cell = { row: 0, column: 0 };

/** The crosspoints themselves, at least one: drawn on a canvas below what scrolls, and named below. */
export function Matrix({ content }: { content: ShownContent }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scroller = useRef<HTMLElement>(null);
  const space = useRef<HTMLDivElement>(null);
  const view = useRef<MatrixView | null>(null);
  const [pointed, setPointed] = useState<Cell | null>(null);
  const cursor = pointed && clamped(pointed, content.receivers.length, content.senders.length);
  const nameId = useId();
  const helpId = useId();
  const newest = useRef({ content, cursor });
  newest.current = { content, cursor };

  useEffect(() => {
    if (!canvas.current || !scroller.current || !space.current) return undefined;
    const elements = { canvas: canvas.current, scroller: scroller.current, space: space.current };
    return keepChart(elements.scroller, () => {
      const opened = new MatrixView(
        { ...elements, onCursor: setPointed },
        newest.current.content,
        newest.current.cursor,
      );
      view.current = opened;
      return opened;
    });
  }, []);
  useEffect(() => view.current?.show(content, cursor), [content, cursor]);

  function ask(cell: Cell | null | undefined): void {
    const receiver = cell && content.receivers[cell.row];
    const sender = cell && content.senders[cell.column];
    if (receiver && sender) askToConnect(receiver.id, sender.id);
  }

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || !view.current) return;
    const isAnswer = event.key === 'Enter' || (event.key === 'Escape' && useNmos.getState().asked !== null);
    const { at, shape, rowsPerPage } = view.current;
    const next = at ? moved(shape, at, event.key, rowsPerPage) : firstCell;
    const isMove = moved(shape, firstCell, event.key, 1) !== null;
    if (!isAnswer && !isMove) return;
    event.preventDefault();
    // The Esc of the window stops what runs.
    event.nativeEvent.stopImmediatePropagation();
    if (event.key === 'Escape') dropAsked();
    else if (event.key === 'Enter') ask(at);
    else if (next) {
      setPointed(next);
      view.current.reveal(next);
    }
  }

  function click(event: MouseEvent): void {
    const cell = view.current?.cellOf(event.nativeEvent);
    if (!cell) return;
    setPointed(cell);
    ask(cell);
  }

  return (
    <>
      <div className={styles.matrix}>
        <canvas ref={canvas} className={styles.canvas} />
        <section
          ref={scroller}
          className={styles.scroller}
          aria-label={nmos.matrix}
          aria-describedby={`${helpId} ${nameId}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus no key would move the cursor
          tabIndex={0}
          data-testid="nmos-matrix"
          onKeyDown={press}
          onClick={click}
        >
          <div ref={space} />
        </section>
      </div>
      <p id={helpId} className="visually-hidden">
        {nmos.matrixHelp}
      </p>
      <CellName id={nameId} content={content} cursor={cursor} />
    </>
  );
}

interface NameProps {
  id: string;
  content: ShownContent;
  cursor: Cell | null;
}

/** The names of the cell under the cursor, whole, and how the two are connected. */
function CellName({ id, content, cursor }: NameProps) {
  const receiver = cursor && content.receivers[cursor.row];
  const sender = cursor && content.senders[cursor.column];
  return (
    <div className={styles.below}>
      <p id={id} className={styles.name} role="status" data-testid="nmos-cell">
        {receiver && sender ? (
          <>
            {nmos.cell(fullNameOf(book, receiver), fullNameOf(book, sender))}:{' '}
            <b>{nmos.cells[stateOf(content, receiver.id, sender.id)]}</b>
          </>
        ) : (
          nmos.noCell
        )}
      </p>
      <Legend />
    </div>
  );
}

function stateOf(content: ShownContent, receiverId: string, senderId: string): keyof typeof nmos.cells {
  const receiver = book.get('receiver', receiverId);
  const isConnected = receiver?.senderId === senderId;
  const patch = content.patches.get(receiverId);
  const isOfPatch = patch && (patch.senderId === senderId || (patch.senderId === null && isConnected));
  if (isOfPatch && patch.state === 'failed') return 'failed';
  const isWaiting =
    patch?.state === 'pending' || (patch?.state === 'accepted' && patch.senderId !== receiver?.senderId);
  if (isOfPatch && isWaiting) return patch.senderId === null ? 'leaving' : 'pending';
  if (!isConnected) return receiver && isConnectedElsewhere(receiver) ? 'elsewhere' : 'none';
  if (!receiver.isActive) return 'inactive';
  return book.get('sender', senderId)?.isActive === false ? 'off' : 'connected';
}

/** As the painter draws them. */
const shapes = {
  connected: <rect x="2" y="2" width="12" height="12" className={styles.full} />,
  off: (
    <>
      <rect x="2.75" y="2.75" width="10.5" height="10.5" className={styles.empty} />
      <rect x="6" y="6" width="4" height="4" className={styles.full} />
    </>
  ),
  inactive: <rect x="2.75" y="2.75" width="10.5" height="10.5" className={styles.empty} />,
  elsewhere: <path d="M8 2l6 6l-6 6l-6-6z" className={styles.full} />,
  pending: <circle cx="8" cy="8" r="6" className={styles.pending} />,
  failed: <path d="M2 2l12 12M14 2L2 14" className={styles.failed} />,
};

function Legend() {
  return (
    <ul className={styles.legend}>
      {(Object.keys(shapes) as (keyof typeof shapes)[]).map((state) => (
        <li key={state}>
          <svg viewBox="0 0 16 16" className={styles.shape} aria-hidden="true">
            {shapes[state]}
          </svg>
          {nmos.legend[state]}
        </li>
      ))}
    </ul>
  );
}
