//! How npm is configured: its files for the machine and the user, and its variables. The `.npmrc` of a project does not
//! count, for whoever wrote a tree must not say where packages come from and what is sent there.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::environment::Environment;
use super::http::Settings;
use super::pip_config::text_of;

/// What of npm's configuration matters for fetching packages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NpmConfig(BTreeMap<String, String>);

impl NpmConfig {
    /// Reads the machine's file, the user's and the variables; the later wins.
    pub(crate) fn read(environment: &Environment) -> Self {
        let mut config = Self::default();
        for file in files(environment) {
            if let Some(text) = text_of(&file) {
                config.take(&text, environment);
            }
        }
        for name in ["registry", "proxy", "https-proxy", "noproxy", "cafile"] {
            let variable = format!("npm_config_{}", name.replace('-', "_"));
            if let Some(value) = environment.get_in_any_case(&variable) {
                config.0.insert(name.to_owned(), value.to_owned());
            }
        }
        config
    }

    /// Takes what a file says.
    pub(crate) fn take(&mut self, text: &str, environment: &Environment) {
        for line in text.trim_start_matches('\u{feff}').lines().map(str::trim) {
            let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with(['#', ';'])) else {
                continue;
            };
            let value = value.trim();
            let unquoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
            self.0.insert(key.trim().to_owned(), expanded(unquoted, environment));
        }
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !matches!(*value, "" | "null" | "false"))
    }

    /// The registry that has a package, without a slash at the end.
    pub(crate) fn registry_of(&self, package: &str) -> String {
        let scope = package.split_once('/').map(|(scope, _)| format!("{scope}:registry"));
        let registry = scope.and_then(|scope| self.get(&scope)).or_else(|| self.get("registry"));
        registry.unwrap_or("https://registry.npmjs.org").trim_end_matches('/').to_owned()
    }

    pub(crate) fn settings(&self) -> Settings {
        let text = |name: &str| self.get(name).map(ToOwned::to_owned);
        let token = |(key, value): (&String, &String)| {
            let start = key.strip_prefix("//")?.strip_suffix(":_authToken")?;
            Some((format!("{}/", start.trim_end_matches('/')), value.clone()))
        };
        Settings {
            proxy: text("https-proxy").or_else(|| text("proxy")),
            no_proxy: text("noproxy"),
            certificates: text("cafile"),
            timeout: None,
            tokens: self.0.iter().filter_map(token).collect(),
        }
    }
}

/// A value with what variables hold in the place of `${NAME}`; a name that is not set stays.
fn expanded(value: &str, environment: &Environment) -> String {
    let mut text = String::new();
    let mut rest = value;
    while let Some((before, after)) = rest.split_once("${") {
        text.push_str(before);
        let known = after.split_once('}').and_then(|(name, after)| Some((environment.get(name)?, after)));
        let (value, after) = known.unwrap_or(("${", after));
        text.push_str(value);
        rest = after;
    }
    text.push_str(rest);
    text
}

fn files(environment: &Environment) -> Vec<PathBuf> {
    let machine = environment.get_in_any_case("npm_config_globalconfig").map(PathBuf::from);
    let user = environment.get_in_any_case("npm_config_userconfig").map(PathBuf::from);
    let user = user.or_else(|| environment.home().map(|home| home.join(".npmrc")));
    let machine = machine.unwrap_or_else(|| PathBuf::from("/etc/npmrc"));
    [machine].into_iter().chain(user).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_variables_are_read_as_npm_reads_them() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let file = dir.path().join("npmrc");
        let text = "; ours\nregistry = \"https://mirror/npm/\"\n@me:registry=https://mine/\nproxy=null\n\
                    //mine/:_authToken=${TOKEN}-${NONE}\nno line of ours\n";
        std::fs::write(&file, text).expect("just made");
        let file = file.to_str().expect("UTF-8");
        let mut variables = vec![
            ("TOKEN", "secret"),
            ("NPM_CONFIG_USERCONFIG", file),
            ("npm_config_globalconfig", "no/such"),
        ];
        let config = NpmConfig::read(&Environment::of(&variables));
        assert_eq!(config.registry_of("left-pad"), "https://mirror/npm");
        assert_eq!(config.registry_of("@me/x"), "https://mine");
        let tokens = vec![("mine/".to_owned(), "secret-${NONE}".to_owned())];
        assert_eq!(config.settings(), Settings { tokens, ..Settings::default() });
        variables.push(("npm_config_registry", "https://variable"));
        let config = NpmConfig::read(&Environment::of(&variables));
        assert_eq!(config.registry_of("@you/x"), "https://variable");
        assert_eq!(NpmConfig::default().registry_of("x"), "https://registry.npmjs.org");
    }
}
