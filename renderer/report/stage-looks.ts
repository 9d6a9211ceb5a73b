import type { CSSProperties } from 'react';
import type { LossPlace } from '../../app/protocol/report';

/** Colours that both themes have. */
type Colour =
  | '--text'
  | '--series-first'
  | '--series-second'
  | '--series-third'
  | '--series-fifth'
  | '--series-machine';

export interface StageLook {
  colour: Colour;
  pattern: 'solid' | 'outline' | 'falling' | 'rising' | 'upright' | 'level';
}

/** How bars and legend show each stage: those of the way by their colour, kinds of spoilt frame by colour and pattern. */
export const stageLooks: Record<LossPlace, StageLook> = {
  sender: { colour: '--text', pattern: 'solid' },
  'receiver-queue': { colour: '--series-second', pattern: 'solid' },
  transport: { colour: '--series-first', pattern: 'solid' },
  'transport-or-queue': { colour: '--series-first', pattern: 'outline' },
  undecodable: { colour: '--series-machine', pattern: 'solid' },
  missing: { colour: '--text', pattern: 'outline' },
  torn: { colour: '--series-third', pattern: 'solid' },
  stale: { colour: '--series-third', pattern: 'falling' },
  mislabelled: { colour: '--series-third', pattern: 'upright' },
  damaged: { colour: '--series-fifth', pattern: 'solid' },
  discoloured: { colour: '--series-fifth', pattern: 'falling' },
  dimmed: { colour: '--series-fifth', pattern: 'level' },
  outage: { colour: '--text', pattern: 'rising' },
  'wrong-size': { colour: '--series-fifth', pattern: 'rising' },
};

const patterns: Record<StageLook['pattern'], (colour: string) => CSSProperties> = {
  solid: (colour) => ({ background: colour }),
  outline: (colour) => ({ border: `2px solid ${colour}` }),
  falling: (colour) => striped(colour, 45),
  rising: (colour) => striped(colour, 135),
  upright: (colour) => striped(colour, 90),
  level: (colour) => striped(colour, 0),
};

/** Stripes as wide as their gaps, within a line, which keeps a narrow bar visible. */
function striped(colour: string, degrees: number): CSSProperties {
  const stripes = `${colour} 0 2px, transparent 2px 4px`;
  return {
    background: `repeating-linear-gradient(${degrees}deg, ${stripes})`,
    border: `1px solid ${colour}`,
  };
}

export function stageStyle(stage: LossPlace): CSSProperties {
  const { colour, pattern } = stageLooks[stage];
  return patterns[pattern](`var(${colour})`);
}
