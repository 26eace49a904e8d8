/** The list of keys. */

import { useLanguage } from "../layout/context";

export function KeysPanel() {
  const { words } = useLanguage();
  const keys: readonly (readonly [readonly string[], string])[] = [
    [["Enter"], words["keys.send"]],
    [["Shift", "Enter"], words["keys.break"]],
    [["i"], words["keys.composer"]],
    [["j", "k"], words["keys.rows"]],
    [["Home", "End"], words["keys.ends"]],
    [["r"], words["keys.reply"]],
    [["c"], words["keys.copy"]],
    [["o"], words["keys.open"]],
    [["Esc", "Esc"], words["keys.stop"]],
    [["a"], words["keys.agents"]],
    [["?"], words["keys.help"]],
    [["Esc"], words["keys.close"]],
  ];
  return (
    <dl class="keys">
      {keys.map(([names, meaning]) => (
        <div class="key" key={meaning}>
          <dt>
            {names.map((name, at) => (
              <kbd key={at}>{name}</kbd>
            ))}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
