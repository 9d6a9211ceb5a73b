/** One to draw at this refresh, and one that came early: pictures and refreshes are never quite in step. */
const mostWaiting = 2;

/** Pictures between their arrival and the display's next refresh. One refresh shows one picture. */
export class PictureQueue<Picture> {
  private readonly waiting: Picture[] = [];

  /** Returns the picture that has to give way, if any: the oldest. */
  push(picture: Picture): Picture | null {
    this.waiting.push(picture);
    return this.waiting.length > mostWaiting ? (this.waiting.shift() ?? null) : null;
  }

  /** The one to draw now. */
  next(): Picture | null {
    return this.waiting.shift() ?? null;
  }

  /** Takes out all. */
  clear(): Picture[] {
    return this.waiting.splice(0);
  }
}
