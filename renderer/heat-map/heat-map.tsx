import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import type { HeatMapDeclaration } from '../../app/experiments/declaration';
import { declarations } from '../../app/experiments/declarations';
import type { Row } from '../../app/facts/row';
import { verdicts } from '../../app/facts/verdict';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import { type HeatCell, heatGrid } from './heat-grid';
import styles from './heat-map.module.css';

const words = texts.heatMap;

interface Props {
  experiment: string;
  rows: readonly Row[];
}

/** The map of a run whose rows are of pairs; nothing of another run. */
export function RunHeatMap({ experiment, rows }: Props) {
  const map = declarations.find(({ id }) => id === experiment)?.heatMap;
  return map && rows.length > 0 ? <HeatMap map={map} rows={rows} /> : null;
}

/** A row for each machine that sends and a column for each that receives. The cell that has the focus says all of its pair. */
function HeatMap({ map, rows }: { map: HeatMapDeclaration; rows: readonly Row[] }) {
  const grid = useMemo(() => heatGrid(rows, map), [rows, map]);
  const [at, setAt] = useState<Place | null>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const { names, lines, worst } = grid;
  const chosen = (at && lines[at.line]?.cells[at.column]) ?? null;
  const entry = at && chosen ? at : firstPlace;

  function onKeyDown(event: KeyboardEvent): void {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = placeAfter(entry, step, names.length);
    const cell = body.current?.querySelector(`[data-place="${next.line} ${next.column}"]`);
    if (cell instanceof HTMLElement) cell.focus();
  }

  return (
    <section className={styles.map} aria-label={words.title} data-testid="heat-map">
      <div className={styles.scroll}>
        <table className={styles.table} data-crowded={names.length > 8 || undefined}>
          <caption className={styles.caption}>{words.caption}</caption>
          <thead>
            <tr>
              <th scope="col" className={styles.corner}>
                {words.corner}
              </th>
              {names.map((name) => (
                <th key={name} scope="col" title={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body} onKeyDown={onKeyDown}>
            {lines.map(({ from, cells }, line) => (
              <tr key={from}>
                <th scope="row" title={from}>
                  {from}
                </th>
                {cells.map((cell, column) =>
                  cell ? (
                    <td key={cell.to}>
                      <Cell
                        cell={cell}
                        place={`${line} ${column}`}
                        isEntry={line === entry.line && column === entry.column}
                        onChoose={() => setAt({ line, column })}
                      />
                    </td>
                  ) : (
                    <td key={from} className={styles.self} aria-label={words.self} />
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.detail} data-testid="heat-map-detail">
        {chosen ? chosen.words : worst && `${words.worst} ${worst.words}`}
      </p>
      <Legend />
    </section>
  );
}

interface CellProps {
  cell: HeatCell;
  place: string;
  /** The one that Tab comes to. */
  isEntry: boolean;
  onChoose(): void;
}

function Cell({ cell: { verdict, level, share, words: all }, place, isEntry, onChoose }: CellProps) {
  return (
    <button
      type="button"
      className={styles.cell}
      tabIndex={isEntry ? 0 : -1}
      aria-label={all}
      title={all}
      data-place={place}
      data-verdict={verdict ?? undefined}
      data-level={level}
      onFocus={onChoose}
      onClick={onChoose}
    >
      {verdict && <VerdictMark verdict={verdict} word={share} size="cell" />}
    </button>
  );
}

function Legend() {
  return (
    <p className={styles.legend}>
      {[...verdicts].reverse().map((verdict) => (
        <VerdictMark key={verdict} verdict={verdict} />
      ))}
      <span>{words.depth}</span>
    </p>
  );
}

interface Place {
  line: number;
  column: number;
}

const firstPlace: Place = { line: 0, column: 1 };
const steps: Readonly<Record<string, Place>> = {
  ArrowUp: { line: -1, column: 0 },
  ArrowDown: { line: 1, column: 0 },
  ArrowLeft: { line: 0, column: -1 },
  ArrowRight: { line: 0, column: 1 },
};

/** The next cell of a pair in this direction; at the edge it is the same one. */
function placeAfter({ line, column }: Place, step: Place, size: number): Place {
  const next = { line: line + step.line, column: column + step.column };
  // A machine and itself is no pair.
  if (next.line === next.column)
    return placeOr({ line: next.line + step.line, column: next.column + step.column }, size, {
      line,
      column,
    });
  return placeOr(next, size, { line, column });
}

function placeOr(next: Place, size: number, otherwise: Place): Place {
  const isIn = [next.line, next.column].every((index) => index >= 0 && index < size);
  return isIn ? next : otherwise;
}
