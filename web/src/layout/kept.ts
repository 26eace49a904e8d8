/** What the browser keeps for the page between visits; nothing, where it may not keep anything. */

class Forgetful implements Storage {
  private readonly held = new Map<string, string>();

  get length(): number {
    return this.held.size;
  }
  clear(): void {
    this.held.clear();
  }
  getItem(key: string): string | null {
    return this.held.get(key) ?? null;
  }
  key(index: number): string | null {
    return [...this.held.keys()][index] ?? null;
  }
  removeItem(key: string): void {
    this.held.delete(key);
  }
  setItem(key: string, value: string): void {
    this.held.set(key, value);
  }
}

/** The browser's storage, or one that lives as long as the page. */
export function keptStorage(): Storage {
  try {
    localStorage.setItem("groupx.probe", "");
    localStorage.removeItem("groupx.probe");
    return localStorage;
  } catch {
    return new Forgetful();
  }
}
