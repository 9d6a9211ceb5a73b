import { Refusal } from './reply';

/** Refusals, and what says that there is nothing, always have room. */
const smallAnswer = 10_000;

/** For answers: those that are being made, and those that clients have not taken yet. */
export class Room {
  private characters = 0;

  constructor(private readonly mostCharacters: number) {}

  share(): Share {
    return new Share((more) => {
      if (more > 0 && this.characters + more > this.mostCharacters) return false;
      this.characters += more;
      return true;
    });
  }
}

/** What one answer takes of it. */
export class Share {
  private characters = 0;

  /** @param take asks for room for more characters, or gives room back if the number is negative; returns whether there was room */
  constructor(private readonly take: (characters: number) => boolean) {}

  /**
   * Reserves room for a part of an answer before it is made.
   * @throws Refusal 503 if there is no room
   */
  reserve(characters: number): void {
    if (!this.take(characters))
      throw new Refusal(503, 'Clients have too many unread answers; try again later');
    this.characters += characters;
  }

  /**
   * For the answer as it is, in the place of what was reserved.
   * @throws Refusal as reserve
   */
  settle(characters: number): void {
    this.free();
    if (characters > smallAnswer) this.reserve(characters);
  }

  free(): void {
    this.take(-this.characters);
    this.characters = 0;
  }
}
