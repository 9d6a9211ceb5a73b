import { useEffect, useRef } from 'react';
import { displayMetrics, type Metric, metricOf } from '../../app/facts/metrics/registry';
import { figure } from '../format';
import { texts } from '../texts';
import type { DisplayFigures, DisplayPicture } from './display-picture';
import styles from './display-screen.module.css';

const refreshEveryMs = 250;

const stages = ['display.captured', 'display.delivered', 'display.uploaded', 'display.presented'];
const losses = [
  'display.missed',
  'display.missedDelivery',
  'display.missedUpload',
  'display.missedPresentation',
];
const others = displayMetrics
  .map(({ id }) => id)
  .filter((id) => !stages.includes(id) && !losses.includes(id));

/** The figures of the overlay, written past React four times a second. */
export function DisplayFiguresList({ picture }: { picture: DisplayPicture }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    function write(): void {
      const element = list.current;
      if (element) writeInto(element, picture);
    }
    write();
    const timer = setInterval(write, refreshEveryMs);
    return () => clearInterval(timer);
  }, [picture]);

  return (
    <div ref={list} data-testid="display-figures">
      <p className={styles.newest}>
        {texts.display.newestFrame} <b data-metric="newestFrame" />
      </p>
      {[stages, losses, others].map((ids) => (
        <dl key={ids[0]} className={styles.counts}>
          {ids.map(metricOf).map((metric) => (
            <Count key={metric.id} metric={metric} />
          ))}
        </dl>
      ))}
      <p className={styles.hint} data-role="no-numbers" hidden>
        {texts.display.noNumbers}
      </p>
    </div>
  );
}

function Count({ metric: { id, heading, unit, description } }: { metric: Metric }) {
  return (
    <div className={styles.count} title={description}>
      <dt>{heading}</dt>
      <dd>
        <span data-metric={id} /> {unit}
      </dd>
    </div>
  );
}

function writeInto(element: HTMLElement, picture: DisplayPicture): void {
  const figures = picture.figures();
  const set = (metric: string, text: string): void => {
    const place = element.querySelector(`[data-metric="${metric}"]`);
    if (place && place.textContent !== text) place.textContent = text;
  };
  set('newestFrame', figure(figures.newestFrame));
  for (const { id, digits } of displayMetrics) set(id, figure(valueIn(figures, id), digits));
  element.dataset.firstFrame = String(picture.firstFrame());
  const note = element.querySelector<HTMLElement>('[data-role="no-numbers"]');
  if (note) note.hidden = figures.counts !== null;
}

function valueIn({ counts, ...figures }: DisplayFigures, id: string): number | null {
  const values: Record<string, number | null> = { ...figures, ...counts };
  return values[id.slice('display.'.length)] ?? null;
}
