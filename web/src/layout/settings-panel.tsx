/** The user's choices for this browser: theme, language, notifications. */

import type { Attention } from "../attention/attention";
import { codeFor, LANGUAGES } from "../language/language";
import { THEMES } from "../look/theme";
import { useLanguage, usePage } from "./context";

export function SettingsPanel({ attention }: { readonly attention: Attention }) {
  const { theme, language } = usePage();
  const { words, code } = useLanguage();
  return (
    <div class="settings">
      <label>
        {words["settings.theme"]}
        <select
          value={theme.current.value}
          onChange={(event) => {
            const picked = THEMES.find((other) => other === event.currentTarget.value);
            if (picked !== undefined) theme.pick(picked);
          }}
        >
          {THEMES.map((each) => (
            <option key={each} value={each}>
              {words[`settings.theme.${each}`]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words["settings.language"]}
        <select
          value={code}
          onChange={(event) => {
            const picked = codeFor(event.currentTarget.value);
            if (picked !== null) language.pick(picked);
          }}
        >
          {Object.entries(LANGUAGES).map(([each, name]) => (
            <option key={each} value={each} lang={each}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Notify attention={attention} />
    </div>
  );
}

function Notify({ attention }: { readonly attention: Attention }) {
  const { words } = useLanguage();
  const on = attention.notifies.value;
  const denied = attention.permission === "denied";
  return (
    <div class="setting">
      <span id="notify-name">{words["settings.notify"]}</span>
      <button
        type="button"
        aria-pressed={on}
        aria-describedby="notify-name"
        disabled={denied}
        onClick={() => void attention.notify(!on)}
      >
        {denied
          ? words["settings.notify.denied"]
          : on
            ? words["settings.notify.on"]
            : words["settings.notify.ask"]}
      </button>
    </div>
  );
}
