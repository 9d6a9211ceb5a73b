import { Counter, Gauge, Registry, Summary } from 'prom-client';
import type { StreamView } from '../protocol/console';
import { type BoundedFacts, bounded } from './bounds';
import { type CorrectedCount, CorrectedCounts } from './corrected-counts';
import type { Facts } from './facts';
import { type FrameOutcome, frameOutcomeNames, frameOutcomes } from './frame-outcomes';
import { type ExportedMetric, exportedMetrics, type Measured } from './metric-table';

type Read = () => Measured[];

/** The library’s metrics add up what they are given. Ours give what is known at the moment when they are read. */
class ReadGauge extends Gauge {
  constructor(
    options: ConstructorParameters<typeof Gauge>[0],
    private readonly read: Read,
  ) {
    super(options);
  }

  override async get() {
    return { ...(await super.get()), values: this.read() };
  }
}

class ReadCounter extends Counter {
  constructor(
    options: ConstructorParameters<typeof Counter>[0],
    private readonly read: Read,
  ) {
    super(options);
  }

  override async get() {
    return { ...(await super.get()), values: this.read() };
  }
}

/** Of quantiles that were computed elsewhere. */
class ReadSummary extends Summary {
  constructor(
    options: ConstructorParameters<typeof Summary>[0],
    private readonly read: Read,
  ) {
    super(options);
  }

  override async get() {
    return { ...(await super.get()), values: this.read() };
  }
}

const classes = { gauge: ReadGauge, counter: ReadCounter, summary: ReadSummary };

/** Facts as the text that Prometheus reads, of one program for as long as it runs. */
export class Exposition {
  private readonly registry = new Registry();
  private readonly counts = new CorrectedCounts();
  private facts: BoundedFacts | null = null;

  constructor() {
    for (const metric of exportedMetrics) {
      const { name, help, type } = metric;
      const options = { name, help, registers: [this.registry] };
      new classes[type](options, () => (this.facts ? readOnce(metric, this.facts) : []));
    }
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** Made in pieces, with room for other work between them. One text is made before the next one is asked for. */
  async text(facts: Facts): Promise<string> {
    this.counts.begin(facts.counting);
    this.facts = bounded(facts, (view) => this.count(view));
    const pieces: string[] = [];
    for (const { name } of exportedMetrics) {
      pieces.push(await this.registry.getSingleMetricAsString(name));
      await otherWork();
    }
    return `${pieces.join('\n\n')}\n`;
  }

  private count(view: StreamView): ReadonlyMap<FrameOutcome, CorrectedCount> {
    const counted = frameOutcomeNames.flatMap((outcome) => {
      const count = this.counts.note(`${view.id} ${outcome}`, view[frameOutcomes[outcome]]);
      return count ? [[outcome, count] as const] : [];
    });
    return new Map(counted);
  }
}

function otherWork(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Two values of the same labels would be one series with two values. */
function readOnce(metric: ExportedMetric, facts: BoundedFacts): Measured[] {
  const seen = new Set<string>();
  return metric.read(facts).filter(({ labels }) => {
    const key = JSON.stringify(metric.labels.map((name) => labels[name] ?? ''));
    return !seen.has(key) && seen.add(key);
  });
}
