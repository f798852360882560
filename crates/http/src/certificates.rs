//! The certificates that are trusted.

use ureq::tls::{Certificate, PemItem, RootCerts};

/// A file of certificates cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot read the certificates {file}: {reason}")]
pub struct CertificateError {
    pub file: String,
    pub reason: String,
}

/// Reads the certificates of a file, or those of the system, which `SSL_CERT_FILE` and `SSL_CERT_DIR` replace.
pub(crate) fn roots(file: Option<&str>) -> Result<RootCerts, CertificateError> {
    let Some(file) = file else {
        let native = rustls_native_certs::load_native_certs().certs;
        let certificates = native.iter().map(|one| Certificate::from_der(one).to_owned());
        return Ok(certificates.collect::<Vec<_>>().into());
    };
    let wrong = |reason: String| CertificateError { file: file.to_owned(), reason };
    let pem = std::fs::read(file).map_err(|error| wrong(error.to_string()))?;
    let mut certificates = Vec::new();
    for item in ureq::tls::parse_pem(&pem) {
        if let PemItem::Certificate(certificate) = item.map_err(|error| wrong(error.to_string()))? {
            certificates.push(certificate);
        }
    }
    Ok(certificates.into())
}
